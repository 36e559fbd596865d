//! Helpers that the test files share: games from pictures, the engines, and whole answers as text.

// Each test file uses a part of it.
#![allow(dead_code)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

use pods::engine::{Bitboard, Engine, Reference};
use pods::files::{Destination, Inputs};
use pods::geometry::Orientation;
use pods::material::{Board, PodKind, PodSet, Side, board_from_toml, builtin_board, builtin_pods, pods_from_toml};
use pods::position::{Action, Game, Hand, Position, Setup};
use pods::progress::{BuildStep, Observer, Phase, Stopped};
use pods::rules::{Captures, OPTION_NAMES, Preset, RuleSet, option_values};
use pods::table::{BuildOptions, Index};

/// Says that a test cannot run here. Under `CI` that is a failure, unless `PODS_TESTS_WITHOUT`
/// names what is missing.
pub fn cannot_run(missing: &str, why: &str) {
    let allowed = std::env::var("PODS_TESTS_WITHOUT").is_ok_and(|list| list.split(',').any(|one| one == missing));
    assert!(std::env::var_os("CI").is_none() || allowed, "there is no {missing} here: {why}");
    eprintln!("skipped: there is no {missing} here: {why}");
}

/// Waits before another look at what goes on elsewhere, so that looking takes no processor from it.
pub fn wait_a_moment() {
    std::thread::sleep(Duration::from_micros(500));
}

/// Creates a folder for files with fixed names, none of which is read by the same command.
pub fn to(folder: &Path) -> Destination<'_> {
    static NONE: LazyLock<Inputs> = LazyLock::new(Inputs::default);
    Destination { folder, force: false, inputs: &NONE }
}

/// Returns every engine that there is. A new one is added here and nowhere else.
pub fn engines(game: &Game) -> Vec<Box<dyn Engine>> {
    vec![Box::new(Reference::new(game.clone())), Box::new(Bitboard::new(game.clone()))]
}

/// Runs a test on every engine.
pub fn on_every_engine(game: &Game, test: impl Fn(&dyn Engine)) {
    for engine in engines(game) {
        test(engine.as_ref());
    }
}

/// Tells a closure of the steps of a build.
struct OnSteps<F>(Mutex<F>);

impl<F: FnMut(BuildStep) + Send> Observer for OnSteps<F> {
    fn progress(&self, _: Phase, _: u64, _: Option<u64>) {}

    fn build(&self, step: BuildStep) {
        (self.0.lock().unwrap())(step);
    }
}

/// Returns an observer of a build that calls a closure at each step.
pub fn on_steps(told: impl FnMut(BuildStep) + Send) -> impl Observer {
    OnSteps(Mutex::new(told))
}

/// Observer that tells a closure the number done, until it wants no more.
struct OnProgress<F>(Mutex<F>, AtomicBool);

impl<F: FnMut(u64) -> bool + Send> Observer for OnProgress<F> {
    fn progress(&self, _: Phase, done: u64, _: Option<u64>) {
        let goes_on = (self.0.lock().unwrap())(done);
        self.1.store(!goes_on, Ordering::Relaxed);
    }

    fn stop(&self) -> Option<Stopped> {
        self.1.load(Ordering::Relaxed).then_some(Stopped::Interrupted)
    }
}

/// Returns an observer that calls a closure with the number done; the job goes on as long as that
/// returns `true`.
pub fn on_progress(told: impl FnMut(u64) -> bool + Send) -> impl Observer {
    OnProgress(Mutex::new(told), AtomicBool::new(false))
}

/// Returns the program, to be run.
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_pods"))
}

/// Runs a command to its end, with input. It may stop before it has read everything.
pub fn run_with_input(command: &mut Command, input: &[u8]) -> Output {
    let pipe = Stdio::piped;
    let mut child = command.stdin(pipe()).stdout(pipe()).stderr(pipe()).spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Returns what a run of the program said on standard error.
pub fn message(ran: &Output) -> String {
    without_progress(&String::from_utf8_lossy(&ran.stderr))
}

/// Returns what was said on standard error without lines of progress, which come by the minute.
pub fn without_progress(said: &str) -> String {
    said.split_inclusive('\n').filter(|line| !line.starts_with("pods: progress: ")).collect()
}

/// Checks that a run of the program went well.
#[track_caller]
pub fn succeeded(ran: &Output) {
    assert_eq!(ran.status.code(), Some(0), "{}", message(ran));
}

/// Checks that a run of the program ended with 2 and a message with these words.
#[track_caller]
pub fn refused(ran: &Output, words: &[&str]) {
    let said = message(ran);
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(words.iter().all(|word| said.contains(word)), "{said}");
}

/// Returns the board of a picture.
pub fn board(picture: &str) -> Board {
    let picture = picture.trim_matches('\n');
    board_from_toml("picture", &format!("name = 'picture'\nsource = 'test'\npoints = '''\n{picture}\n'''"))
        .unwrap_or_else(|e| panic!("{e}"))
}

/// Reads the pod set of a list such as `b: w e, q*2: n E se SW`.
pub fn pods(list: &str) -> PodSet {
    let mut text = "name = 'list'\nsource = 'test'\n".to_owned();
    for entry in list.split(',') {
        let (id, legs) = entry.trim().split_once(": ").unwrap_or_else(|| panic!("no pod: {entry:?}"));
        let (id, count) = id.split_once('*').unwrap_or((id, "1"));
        writeln!(text, "[[pod]]\nid = '{id}'\nlegs = '{legs}'\ncount = {count}").unwrap();
    }
    pods_from_toml("list", &text).unwrap_or_else(|e| panic!("{e}"))
}

/// Creates the game on the board of a picture, with the pods of a list, under a rule set.
pub fn game(picture: &str, list: &str, rules: &str) -> Game {
    Game::new(board(picture), pods(list), rules.parse().unwrap_or_else(|e| panic!("{e}")))
}

/// Creates a game of a built-in board and pod set.
pub fn builtin_game(board: &str, orientation: u16, pods: &str, rules: &str) -> Game {
    let board = builtin_board(board).unwrap_or_else(|| panic!("no board {board}"));
    let turn = Orientation::from_degrees(orientation).unwrap_or_else(|| panic!("no orientation {orientation}"));
    let pods = builtin_pods(pods).unwrap_or_else(|| panic!("no pods {pods}"));
    Game::new(board.turned(turn), pods, rules.parse().unwrap_or_else(|e| panic!("{e}")))
}

/// Returns the options of a table that is built in memory, with nothing saved before the end.
pub fn build_options() -> BuildOptions {
    BuildOptions { memory: 1 << 30, checkpoint: Duration::from_secs(3600), ..BuildOptions::default() }
}

/// Creates an index of all positions with pods of these hands in the game, those with blocked pods
/// too.
pub fn index_of_all(game: &Game, hands: &[Hand; 2]) -> Index {
    // Where placements capture nothing, positions with blocked pods are held.
    let rules = match game.rules().options().captures {
        Captures::EveryTurn => game.rules().with("captures", "after-moves").unwrap(),
        _ => *game.rules(),
    };
    Index::new(&Setup::new(game.clone(), hands).with_rules(rules)).unwrap()
}

/// Reads the position of a text, which must be the text of that position.
pub fn position(game: &Game, text: &str) -> Position {
    let position = game.parse_position(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(position.display(game).to_string(), text);
    position
}

/// Reads the action of a text, which must be the notation of that action.
pub fn action(game: &Game, text: &str) -> Action {
    let action = game.parse_action(text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(action.display(game).to_string(), text);
    action
}

/// Returns the legal actions as texts, in the engine's order, with a blank between.
pub fn actions(engine: &dyn Engine, text: &str) -> String {
    let game = engine.game();
    let texts: Vec<String> = engine
        .sorted_actions(&position(game, text))
        .into_iter()
        .map(|action| action.display(game).to_string())
        .collect();
    assert!(texts.is_sorted(), "{texts:?}");
    texts.join(" ")
}

/// Returns the status by name.
pub fn status(engine: &dyn Engine, text: &str) -> &'static str {
    engine.status(&position(engine.game(), text)).name()
}

/// Returns everything that an action leads to: `<next position> back=<ids> out=<ids> <status>`,
/// where `back` are the mover's pods that went back to hand and `out` the opponent's that went out
/// of the game; or `illegal by R11`, where the engine refuses the action and the reference says
/// why.
pub fn play(engine: &dyn Engine, from: &str, by: &str) -> String {
    let game = engine.game();
    let (position, action) = (position(game, from), action(game, by));
    let listed = engine.sorted_actions(&position).contains(&action);
    let ids = |kinds: &[PodKind]| {
        let ids: String = kinds.iter().map(|&kind| game.pods().id(kind)).collect();
        if ids.is_empty() { "-".to_owned() } else { ids }
    };
    match engine.transition(&position, action) {
        Some(result) => {
            assert!(listed, "{by} is applied in {from}, but not listed");
            format!(
                "{} back={} out={} {}",
                result.next.display(game),
                ids(&result.returned),
                ids(&result.removed),
                engine.status(&result.next).name()
            )
        }
        None => {
            let illegal = Reference::new(game.clone()).check(&position, action).unwrap_err();
            assert!(!listed, "{by} is listed in {from}, but not applied: {}", illegal.explain(game, action));
            format!("illegal by {}", illegal.clause)
        }
    }
}

/// Random numbers that are the same on every run (splitmix64).
pub struct Random(pub u64);

impl Random {
    /// Draws a number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    /// Returns one of these, drawn at random.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Returns a preset with every option drawn anew.
    pub fn rules(&mut self) -> RuleSet {
        OPTION_NAMES.iter().fold(RuleSet::from(self.pick(&Preset::ALL)), |rules, name| {
            rules.with(name, self.pick(option_values(name).unwrap())).unwrap()
        })
    }
}

/// Plays random games on the small built-in boards, under random rules, and shows each with all its
/// positions, finished ones included.
pub fn random_games(seed: u64, games: usize, plies: usize, mut look: impl FnMut(&Game, &[Position])) {
    let mut random = Random(seed);
    for _ in 0..games {
        let board = builtin_board(random.pick(&["ring8", "nook9", "den12", "lair16", "cave16"])).unwrap();
        let board = board.turned(random.pick(&Orientation::ALL));
        let pods = builtin_pods(random.pick(&["duo", "trio", "four", "mini5"])).unwrap();
        let game = Game::new(board, pods, random.rules());
        let (engine, hand) = (Reference::new(game.clone()), Hand::whole(game.pods()));
        let mut positions = vec![game.start(hand, hand, random.pick(&Side::BOTH)).unwrap()];
        for _ in 0..plies {
            let here = positions.last().unwrap();
            let actions = engine.sorted_actions(here);
            if actions.is_empty() {
                break;
            }
            // Moves are few beside placements: look for one first, now and then, so that boards get
            // crowded and stirred.
            let moves: Vec<Action> =
                actions.iter().copied().filter(|action| !matches!(action, Action::Place { .. })).collect();
            let action = if moves.is_empty() || random.below(2) == 0 { &actions } else { &moves };
            let action = random.pick(action);
            positions.push(engine.transition(here, action).unwrap().next);
        }
        look(&game, &positions);
    }
}

/// Returns every rule set in which nothing moves and nothing is captured, option by option.
pub fn placement_rule_sets() -> Vec<RuleSet> {
    let mut sets = Vec::new();
    for hand in ["loses", "wins"] {
        for through in ["off", "on"] {
            for liberty in ["on", "off"] {
                for opening in ["bipod", "any"] {
                    let text = format!(
                        "standard+empty-hand={hand}+attack-through={through}+placement-liberty={liberty}+opening={opening}"
                    );
                    sets.push(text.parse().unwrap_or_else(|e| panic!("{text}: {e}")));
                }
            }
        }
    }
    sets
}
