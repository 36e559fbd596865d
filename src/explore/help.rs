//! The rules for readers of the page: each clause with what it means on a small board, and the
//! glossary.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::refusal::Refusal;
use super::setting::Setting;
use super::view::Marks;
use crate::drawing::Drawing;
use crate::rules::{Clause, glossary};

/// Twelve points with every line.
const OPEN: &str = "name = \"example\"\nsource = \"made to explain the rules\"\npoints = '''\n\
                    o-o-o-o\n|X|X|X|\no-o-o-o\n|X|X|X|\no-o-o-o\n'''\n";

/// Picture of a clause, with the pods `four`.
struct Picture {
    clause: Clause,
    board: &'static str,
    turn: u16,
    rules: &'static str,
    position: &'static str,
    /// The pod whose attacks and liberties are marked.
    pod: &'static str,
    /// An action: if it is legal, its result is shown as well; if not, this clause forbids it in
    /// the position named.
    action: Option<&'static str>,
    /// The position in which the action is tried, where the drawing shows what it would lead to.
    tried: Option<&'static str>,
    caption: &'static str,
}

const PLAIN: Picture = Picture {
    clause: Clause::R1,
    board: OPEN,
    turn: 0,
    rules: "standard",
    position: "start",
    pod: "",
    action: None,
    tried: None,
    caption: "",
};

const PICTURES: &[Picture] = &[
    Picture {
        board: "nook9",
        caption: "Nine points. a2 and b2 are neighbours, but no line joins them: no leg reaches from one to the other.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R2,
        board: "nook9",
        turn: 90,
        caption: "The same board turned by 90° clockwise. The missing line between a2 and b2 is now between b3 and b2.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R4,
        position: "4/D2d/4 w bqt bqt -",
        caption: "The same pod twice: White's D on a2 and Black's d on d2. Each faces its own player, so Black's lies turned by \
                  180°.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R5,
        position: "4/1Q2/4 w bdt bdqt -",
        pod: "b2",
        caption: "Q on b2 has short legs up and to the lower right: they reach b3 and c1. Its long leg to the right reaches c2 and \
                  d2, the one to the lower left a1.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R6,
        position: "1q2/1Q2/4 w bdt bdt -",
        pod: "b2",
        caption: "Q on b2 attacks what its legs reach: Black's q on b3 among it.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R7,
        rules: "advanced",
        position: "4/4/Bq2 w dqt bdt -",
        pod: "a1",
        caption: "B on a1 has legs to the left and right only. Left is the edge, right stands q: it has no liberty, it is blocked.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R9,
        position: "4/1T2/4 b bdq bdqt -",
        action: Some("t@b2"),
        tried: Some("4/4/4 w bdqt bdqt open"),
        caption: "Not as the first action: T has three legs. White has to open with B or D, which have two.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R10,
        position: "4/1B2/4 b dqt bdqt -",
        action: Some("q@b2"),
        tried: Some("4/1B2/4 b dqt bdqt -"),
        caption: "B stands on b2: nobody can place a pod there. Every other point is empty.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R11,
        position: "1q2/4/1D2 b bqt bdt -",
        pod: "b1",
        action: Some("d@b1"),
        tried: Some("1q2/4/4 w bdqt bdt -"),
        caption: "D may not be placed on b1: its long leg up would attack Black's q on b3.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R12,
        position: "1q2/4/4 w bdqt bdt -",
        pod: "b3",
        action: Some("b@b2"),
        tried: Some("1q2/4/4 w bdqt bdt -"),
        caption: "B may not be placed on b2: a short leg of Black's q reaches it. So are all points closed that q attacks.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R13,
        position: "4/BT2/4 b dq bdqt -",
        pod: "a2",
        action: Some("b@a2"),
        tried: Some("4/1T2/4 w bdq bdqt -"),
        caption: "B may not be placed on a2: left is the edge, right stands White's own T. It would have no liberty.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R17,
        rules: "advanced",
        position: "4/1Q2/4 w bdt bdqt -",
        action: Some("b2-d2"),
        caption: "Q goes to the right by its long leg, over the empty c2. It could also stop on c2, or go up by one, or to a1 or c1.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R18,
        rules: "advanced",
        position: "4/1Q1b/4 w bdt dqt -",
        action: Some("b2-c2"),
        caption: "Black's b on d2 has one liberty, c2. Q moves there: b is blocked, comes off, and is out of the game.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R22,
        rules: "very-advanced",
        position: "4/1q2/1D2 w bqt bdt -",
        action: Some("b1>b2"),
        caption: "D moves up to b2 and shoves Black's q from there to b3.",
        ..PLAIN
    },
    Picture {
        clause: Clause::R24,
        rules: "very-advanced",
        position: "4/Qt2/4 w bdt bdq -",
        action: Some("a2>b2+2"),
        caption: "Q moves to b2 by its long leg and kicks Black's t two points further, to d2.",
        ..PLAIN
    },
];

impl Picture {
    fn setting(&self, position: &str) -> Setting {
        Setting {
            board: self.board.to_owned(),
            pods: "four".to_owned(),
            turn: self.turn,
            rules: self.rules.to_owned(),
            white: None,
            black: None,
            position: position.to_owned(),
            actions: Vec::new(),
        }
    }

    /// Draws the position, and the one after the action if it is legal.
    fn drawn(&self) -> Result<Vec<String>, Refusal> {
        let mut course = self.setting(self.position).course()?;
        let marks = if self.pod.is_empty() { Marks::None } else { Marks::Pod(self.pod.to_owned()) };
        let drawing = Drawing::default().embedded();
        let mut drawings = vec![drawing.on_board(course.game(), course.now(), &marks.of(&course))];
        if let (Some(action), None) = (self.action, self.tried) {
            let action = course.game().parse_action(action)?;
            course.play(action).map_err(Refusal)?;
            drawings.push(drawing.on_board(course.game(), course.now(), &[]));
        }
        Ok(drawings)
    }
}

/// Returns a clause with its pictures; where an action is shown, the board before and after it.
fn clause_json(clause: Clause) -> Value {
    let picture = PICTURES.iter().find(|picture| picture.clause == clause);
    // A test draws them all.
    let pictures = picture.and_then(|picture| picture.drawn().ok()).unwrap_or_default();
    json!({
        "id": clause.to_string(),
        "title": clause.title(),
        "section": clause.section(),
        "sentence": clause.sentence(),
        "text": clause.text(),
        "pictures": pictures,
        "caption": picture.map_or("", |picture| picture.caption),
    })
}

/// Explains the rules.
pub(super) fn help() -> &'static Value {
    static HELP: LazyLock<Value> = LazyLock::new(|| {
        let clauses: Value = Clause::ALL.iter().copied().map(clause_json).collect();
        let words: Value =
            glossary().iter().map(|word| json!({ "word": word.word, "meaning": word.meaning })).collect();
        json!({ "clauses": clauses, "words": words })
    });
    &HELP
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine as _;
    use crate::report::blocked_after;

    #[test]
    fn pictures_can_be_drawn_and_show_what_their_clause_says() {
        for picture in PICTURES {
            let drawn = picture.drawn().unwrap_or_else(|Refusal(why)| panic!("{}: {why}", picture.clause));
            assert_eq!(drawn.len(), 1 + usize::from(picture.action.is_some() && picture.tried.is_none()));
            if let (Some(action), Some(tried)) = (picture.action, picture.tried) {
                let course = picture.setting(tried).course().unwrap();
                let action = course.game().parse_action(action).unwrap();
                let illegal = blocked_after(&course.engine, course.now(), action).unwrap_err();
                assert_eq!(illegal.clause, picture.clause);
            }
            if !picture.pod.is_empty() {
                let course = picture.setting(picture.position).course().unwrap();
                assert!(!Marks::Pod(picture.pod.to_owned()).of(&course).is_empty(), "{}", picture.clause);
            }
        }
    }

    #[test]
    fn captions_name_what_their_pictures_show() {
        let of = |clause| PICTURES.iter().find(|picture| picture.clause == clause).unwrap();
        let reached = |clause: Clause, at: &str| {
            let picture = of(clause);
            let course = picture.setting(picture.position).course().unwrap();
            let point = |name: &str| {
                course.game().board().points().find(|p| course.game().board().coord(*p).to_string() == name)
            };
            let points = course.engine.attacked_points(course.now(), point(at).unwrap());
            let mut names: Vec<String> =
                points.into_iter().map(|p| course.game().board().coord(p).to_string()).collect();
            names.sort();
            names.join(" ")
        };
        assert_eq!(reached(Clause::R5, "b2"), "a1 b3 c1 c2 d2");
        assert!(reached(Clause::R12, "b3").contains("b2"));
        let openings = of(Clause::R9).setting("start").course().unwrap();
        let first: std::collections::BTreeSet<char> = openings
            .engine
            .sorted_actions(openings.now())
            .iter()
            .filter_map(|a| a.display(openings.game()).to_string().chars().next())
            .collect();
        assert_eq!(first.into_iter().collect::<String>(), "bd");
        let captured = of(Clause::R18);
        let mut course = captured.setting(captured.position).course().unwrap();
        let action = course.game().parse_action(captured.action.unwrap()).unwrap();
        course.play(action).unwrap();
        assert_eq!(course.played[0].led_to.removed.len(), 1);
    }

    #[test]
    fn every_clause_and_word_is_there() {
        let all = |of: &str| help()[of].as_array().unwrap();
        assert_eq!(all("clauses").len(), Clause::ALL.len());
        assert_eq!(all("words").len(), glossary().len());
        let pictured = all("clauses").iter().filter(|clause| clause["pictures"] != json!([])).count();
        assert_eq!(pictured, PICTURES.len());
    }
}
