//! The conformance protocol: engines in this process that pass, engines with planted errors.

mod programs;

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use pods::engine::{Bitboard, Engine, Reference};
use pods::oracle::conform::misreading::{Length, Misreader, Misreading, Wrong};
use pods::oracle::conform::{Class, Finding, History, Origin, Plan, Probe, Subject, Topic, Verdict, requests, run};
use pods::oracle::peer::{Answers, FaultKind, PeerError, StderrTail};
use pods::oracle::protocol::{Answer, Query};
use pods::oracle::{Session, serve};
use pods::position::Game;
use pods::rules::{Clause, OPTION_NAMES, Preset, option_values};

/// A conversation in this process.
struct Talk<'a>(Session<'a>);

impl Answers for Talk<'_> {
    fn ask(&mut self, ask: &Query, _: Option<&AtomicBool>) -> Result<Answer, PeerError> {
        Ok(self.0.answer(ask).unwrap_or_else(|message| Answer::Error { message }))
    }

    fn capabilities(&self) -> &[String] {
        static LARGE: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(|| vec!["large-counts".to_owned()]);
        &LARGE
    }
}

type Make<'a> = &'a dyn Fn(&Game) -> Box<dyn Engine>;

/// Returns the findings about engines in this process.
fn examine(make: Make<'_>, plan: &Plan) -> Verdict {
    let mut start = || -> Result<Box<dyn Answers + '_>, PeerError> { Ok(Box::new(Talk(Session::new("talk", make)))) };
    run(&mut start, plan, &|_| {}, None).unwrap().1
}

fn finding(verdict: Verdict) -> Finding {
    match verdict {
        Verdict::Differs(finding) => *finding,
        Verdict::Agrees(tally) | Verdict::Ended(tally) => panic!("not found: {tally:?}"),
    }
}

fn plan(constructed: u64, positions: u64) -> Plan {
    Plan { seed: 3, constructed, positions, presets: Preset::ALL.to_vec(), only_presets: false }
}

#[test]
fn a_misread_option_is_found_and_its_clause_named() {
    for (option, value, clause, most_pods) in [
        ("placement-liberty", "on", Clause::R13, 2),
        ("placement-liberty", "off", Clause::R13, 2),
        ("attack-through", "off", Clause::R5, 4),
        ("attack-through", "on", Clause::R5, 4),
        ("captures", "every-turn", Clause::R18, 3),
        ("captures", "never", Clause::R18, 4),
        ("empty-hand", "wins", Clause::R16, 3),
        ("shove-after-run", "on", Clause::R23, 4),
        ("kick-gaps", "every-step", Clause::R24, 4),
        ("shove-liberty", "off", Clause::R27, 5),
    ] {
        let make = |game: &Game| -> Box<dyn Engine> {
            let rules = game.rules().with(option, value).unwrap();
            Box::new(Reference::new(Game::new(game.board().clone(), game.pods().clone(), rules)))
        };
        // By random games alone, and by construction.
        for plan in [plan(0, 20_000), plan(5, 0)] {
            let found = finding(examine(&make, &plan));
            assert!(found.diagnosis.clauses.contains(&clause), "{option}={value}: {:?}", found.diagnosis);
            assert_eq!(matches!(found.origin, Origin::Constructed(_)), plan.positions == 0);
            let position = &found.shrunken.difference.position;
            let hands = pods::material::Side::BOTH.map(|side| position.hand(side).len());
            let size = position.pods().count() + hands[0] + hands[1];
            let text = position.display(&found.shrunken.difference.game).to_string();
            assert!(size <= most_pods, "{option}={value}: {size} in {text}");
        }
    }
}

/// Subjects that the protocol cannot ask about: impossible positions, values, openings.
const NOT_ASKED: [Clause; 3] = [Clause::R29, Clause::R33, Clause::R34];

#[test]
fn every_clause_and_every_option_decides_two_hundred_questions() {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Bitboard::new(game.clone())) };
    let plan = Plan { seed: 1, ..plan(200, 0) };
    let Verdict::Agrees(tally) = examine(&make, &plan) else { panic!("the fast engine differs") };
    for &clause in Clause::ALL {
        let asked = tally.decided.contains_key(&Subject::Clause(clause));
        assert_ne!(asked, NOT_ASKED.contains(&clause), "{clause}");
    }
    for name in OPTION_NAMES {
        for value in option_values(name).unwrap() {
            assert!(tally.decided.contains_key(&Subject::Option(name, value)), "{name}={value}");
        }
    }
    for (subject, decided) in &tally.decided {
        let least = if *subject == Subject::Topic(Topic::LargeCounts) { 20 } else { 200 };
        assert!(decided.questions >= least, "{subject}: {decided:?}");
        assert!(decided.misreadings.values().all(|&count| count >= 20), "{subject}: {decided:?}");
    }
    for topic in Topic::ALL {
        assert!(tally.topic(topic) > 0, "{topic:?}");
    }
    for most in 1..=7 {
        let chain =
            &tally.decided[&Subject::Clause(Clause::R22)].misreadings[&Misreading::AtMost(Length::ChainAtMost, most)];
        assert!(*chain >= 20, "chains of more than {most}: {chain}");
    }
}

#[test]
fn a_preset_alone_has_questions_for_all_that_it_uses() {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Bitboard::new(game.clone())) };
    for preset in Preset::ALL {
        let plan = Plan { presets: vec![preset], only_presets: true, ..plan(10, 0) };
        let Verdict::Agrees(tally) = examine(&make, &plan) else { panic!("the fast engine differs") };
        assert_eq!(tally.short_of(10), [], "{}", preset.name());
        let asks = |clause| tally.decided.contains_key(&Subject::Clause(clause));
        let (moves, pushes) = (preset.options().moves, preset.options().shoves);
        assert_eq!([Clause::R14, Clause::R15].map(asks), [!moves; 2], "{}", preset.name());
        assert_eq!([Clause::R17, Clause::R18, Clause::R20].map(asks), [moves; 3], "{}", preset.name());
        assert_eq!([Clause::R22, Clause::R24, Clause::R28].map(asks), [pushes; 3], "{}", preset.name());
        assert_eq!(tally.rule_sets.iter().map(String::as_str).collect::<Vec<_>>(), [preset.name()]);
    }
}

#[test]
fn without_a_misreading_the_misreader_reads_the_rules_as_they_are() {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Misreader::new(game.clone(), None)) };
    if let Verdict::Differs(found) = examine(&make, &plan(10, 1500)) {
        panic!("{:?} {:?}", found.diagnosis, requests(&found));
    }
}

#[test]
fn every_misreading_is_found_and_its_clause_named() {
    for misreading in Misreading::all() {
        let make = |game: &Game| -> Box<dyn Engine> { Box::new(Misreader::new(game.clone(), Some(misreading))) };
        let found = finding(examine(&make, &plan(1, 0)));
        if found.history.is_none() {
            assert!(found.diagnosis.clauses.contains(&misreading.clause()), "{misreading}: {:?}", found.diagnosis);
        }
        let counts_plies =
            matches!(misreading, Misreading::AtMost(Length::LongGame, _) | Misreading::Of(Wrong::Repetition));
        assert_eq!(found.history.is_some(), counts_plies, "{misreading}: {:?}", found.diagnosis);
    }
}

#[test]
fn a_refusal_is_a_difference() {
    struct Refuses(u64);
    impl Answers for Refuses {
        fn ask(&mut self, _: &Query, _: Option<&AtomicBool>) -> Result<Answer, PeerError> {
            self.0 += 1;
            Ok(if self.0 == 1 { Answer::Ok } else { Answer::error("no idea") })
        }
    }
    let mut start = || -> Result<Box<dyn Answers>, PeerError> { Ok(Box::new(Refuses(0))) };
    let found = finding(run(&mut start, &plan(0, 10), &|_| {}, None).unwrap().1);
    assert_eq!(found.diagnosis.class, Class::Refusal);
    assert!(found.diagnosis.why.contains("\"no idea\""), "{}", found.diagnosis.why);
}

/// Fails at boards of more points than these: with an error, or by ending.
struct Small<'a> {
    talk: Talk<'a>,
    most: usize,
    ends: bool,
}

impl Answers for Small<'_> {
    fn ask(&mut self, ask: &Query, interrupt: Option<&AtomicBool>) -> Result<Answer, PeerError> {
        match ask {
            Query::Game(game) if game.board.points.len() > self.most && self.ends => Err(PeerError::Died {
                status: "exit status: 3".to_owned(),
                request: "the game".to_owned(),
                stderr: StderrTail::default(),
            }),
            Query::Game(game) if game.board.points.len() > self.most => Ok(Answer::error("too many points")),
            ask => self.talk.ask(ask, interrupt),
        }
    }
}

#[test]
fn a_game_that_is_refused_or_that_ends_the_program_is_shrunk() {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Bitboard::new(game.clone())) };
    for (ends, class) in [(false, Class::GameRefused), (true, Class::Fault(FaultKind::Died))] {
        let mut start = || -> Result<Box<dyn Answers + '_>, PeerError> {
            Ok(Box::new(Small { talk: Talk(Session::new("small", &make)), most: 11, ends }))
        };
        let found = finding(run(&mut start, &plan(20, 0), &|_| {}, None).unwrap().1);
        assert_eq!((found.diagnosis.class, found.history.is_none()), (class, true));
        let difference = &found.shrunken.difference;
        assert_eq!((difference.probe, difference.game.board().len()), (Probe::Game, 12));
        assert_eq!(difference.position.pods().count(), 0);
        let requests = requests(&found);
        assert!(matches!(&requests[..], [request] if matches!(request.ask, Query::Game(_))), "{requests:?}");
    }
}

#[test]
fn what_a_program_keeps_between_requests_is_told_from_its_rules() {
    /// Remembers the legal actions of positions by their text, whatever the game.
    struct Remembers<'a>(Talk<'a>, HashMap<String, Answer>);
    impl Answers for Remembers<'_> {
        fn ask(&mut self, ask: &Query, interrupt: Option<&AtomicBool>) -> Result<Answer, PeerError> {
            let Query::Moves { position } = ask else { return self.0.ask(ask, interrupt) };
            if let Some(known) = self.1.get(position) {
                return Ok(known.clone());
            }
            let answer = self.0.ask(ask, interrupt)?;
            self.1.insert(position.clone(), answer.clone());
            Ok(answer)
        }
    }
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Bitboard::new(game.clone())) };
    let mut start = || -> Result<Box<dyn Answers + '_>, PeerError> {
        Ok(Box::new(Remembers(Talk(Session::new("remembers", &make)), HashMap::new())))
    };
    // Games in which the same text stands for another position are met by chance: constructed games are
    // seldom alike, but games on the same boards under other rules begin alike.
    let found = finding(run(&mut start, &plan(0, 20_000), &|_| {}, None).unwrap().1);
    assert_eq!((found.diagnosis.class, &found.diagnosis.clauses[..]), (Class::Kept, &[][..]));
    let Some(History { requests: Some(asks) }) = &found.history else { panic!("{:?}", found.history) };
    // One game, the same position of another one, and the question again.
    assert!(
        matches!(&asks[..], [Query::Game(_), Query::Moves { .. }, Query::Game(_), Query::Moves { .. }]),
        "{asks:?}"
    );
}

#[test]
fn a_conversation_is_answered_line_by_line() {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Reference::new(game.clone())) };
    let rules = r#"{"moves":"off","shoves":"off","placement-liberty":"on","captures":"never","empty-hand":"loses","opening":"bipod","attack-through":"off","shove-after-run":"on","kick-gaps":"every-step","shove-liberty":"off"}"#;
    let game = format!(
        r#"{{"id":1,"type":"game","board":{{"points":["a1","b1","a2"],"lines":[["a1","b1"],["a1","a2"]],"columns":2,"rows":2}},"pods":[{{"id":"b","legs":"w E"}}],"rules":{rules},"white_hand":"b","black_hand":"b"}}"#
    );
    let talk = [
        (
            r#"{"id":0,"type":"hello","protocol":"pods-conformance","version":1}"#,
            r#"{"id":0,"type":"hello","protocol":"pods-conformance","version":1,"name":"test","capabilities":["large-counts","best"]}"#,
        ),
        (
            r#"{"id":5,"type":"moves","position":"2/2 w b b open"}"#,
            r#"{"id":5,"type":"error","message":"there is no game yet: send a game first"}"#,
        ),
        (&game, r#"{"id":1,"type":"ok"}"#),
        (
            r#"{"id":2,"type":"moves","position":"2/2 w b b open"}"#,
            r#"{"id":2,"type":"moves","status":"ongoing","actions":["b@a1","b@b1"]}"#,
        ),
        (
            r#"{"id":3,"type":"apply","position":"2/2 w b b open","action":"b@a1"}"#,
            r#"{"id":3,"type":"applied","position":"2/B1 b - b -","status":"white_won","returned":[],"removed":[]}"#,
        ),
        (
            r#"{"id":4,"type":"apply","position":"2/2 w b b open","action":"b@a2","more":1}"#,
            r#"{"id":4,"type":"illegal","clause":"R13"}"#,
        ),
        (r#"{"id":5,"type":"status","position":"2/B1 b - b -"}"#, r#"{"id":5,"type":"status","status":"white_won"}"#),
        (r#"{"id":6,"type":"perft","position":"2/2 w b b open","depth":2}"#, r#"{"id":6,"type":"perft","count":0}"#),
        (
            r#"{"id":6,"type":"best","position":"2/2 w b b open","milliseconds":200}"#,
            r#"{"id":6,"type":"best","action":"b@a1"}"#,
        ),
        (r#"{"id":6,"type":"best","position":"2/B1 b - b -"}"#, r#"{"id":6,"type":"best","action":null}"#),
        ("nonsense", "\"id\":null,\"type\":\"error\""),
        (r#"{"id":7,"type":"dance"}"#, "{\"id\":7,\"type\":\"error\""),
        (r#"{"id":8,"type":"hello","protocol":"pods-conformance","version":2}"#, "{\"id\":8,\"type\":\"error\""),
        (r#"{"id":9,"type":"quit"}"#, r#"{"id":9,"type":"ok"}"#),
    ];
    let input: String = talk.iter().map(|(ask, _)| format!("{ask}\n\n")).collect();
    let mut out = Vec::new();
    serve(&mut Session::new("test", &make), &mut input.as_bytes(), &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert_eq!(out.lines().count(), talk.len(), "{out}");
    for ((ask, wanted), got) in talk.iter().zip(out.lines()) {
        assert!(if wanted.ends_with('}') { got == *wanted } else { got.contains(wanted) }, "{ask}\n{got}\n{wanted}");
    }
}

#[test]
fn a_line_that_is_not_utf_8_is_answered_and_the_conversation_goes_on() {
    let make = |game: &Game| -> Box<dyn Engine> { Box::new(Reference::new(game.clone())) };
    let input = b"{\"id\":1,\"type\":\"hello\xff\"}\n\r\n{\"id\":2,\"type\":\"quit\"}\n";
    let mut out = Vec::new();
    serve(&mut Session::new("test", &make), &mut &input[..], &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("{\"id\":null,\"type\":\"error\"") && lines[0].contains("not UTF-8"), "{out}");
    assert_eq!(lines[1..], ["{\"id\":2,\"type\":\"ok\"}"]);
}
