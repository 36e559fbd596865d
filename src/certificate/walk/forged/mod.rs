//! Certificates that break one rule of the walk or of a lemma and keep all others. Most of them
//! claim what is false: a checker that forgot the rule would accept them.
//!
//! They are kept in `tests/corpus/certificates`, for other checkers too.

use std::path::PathBuf;

use super::super::CODED;
use super::super::header::{Claim, Claimed, Header};
use super::super::lines::sealed;
use super::field::Field;
use super::lemma_tests::Small;
use super::lemma_tests::games::{Random, Size, board_of, every_position, game_of, random_game};
use super::scene::Scene;
use crate::material::{Board, PodKind};
use crate::position::{Game, Position};

use self::forger::Forger;

mod forger;

/// The rule that a forged certificate breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::certificate) enum Broken {
    /// R11: X's pod may reach one of Y's.
    Attacks,
    /// R12: X's pod may stand where one of Y's reaches.
    Attacked,
    /// R13: X's pod needs no liberty.
    Liberty,
    /// R9: X opens with any kind.
    Opening,
    /// X places a kind that is not in hand.
    NotInHand,
    /// X chooses nothing.
    NoChoice,
    /// R15: X, who cannot place, has not lost.
    StuckWinner,
    /// R15: Y, who has one choice, has lost.
    StuckLoser,
    /// R30: an empty hand is X's win, whoever has it.
    Hand,
    /// A reply of Y's is left out.
    LeftOut,
    /// All replies of Y's on a point are left out.
    PointLeftOut,
    /// A cover has the legs of one kind.
    CoverOfOne,
    CoverShort,
    /// A cover takes a pod of each kind from Y's hand.
    CoverFromHand,
    /// Points are covered where an empty hand wins.
    CoverHandWins,
    CoverAlone,
    /// Counting where the opening clause binds.
    PlanOpen,
    /// Counting where an empty hand wins.
    PlanHandWins,
    PlanShort,
    /// A plan has no pair more where X is to move.
    PlanNoFirst,
    /// Y has one pod of each kind at most.
    PlanOfKinds,
    /// A plan goes where Y may come, or reaches there.
    PlanTheirs,
    /// A plan goes where pods that Y may place reach.
    PlanReached,
    PlanLiberty,
    /// A plan has a pod of each kind more than there is in hand.
    PlanHand,
    PlanStops,
    MirrorMover,
    MirrorHands,
    /// The mirror with pods anywhere.
    MirrorPods,
    MirrorLegs,
    /// The mirror on a board whose lines are not symmetric.
    MirrorLines,
    /// The mirror on a board with a point that is its own image.
    MirrorOwn,
    /// The mirror on a board with a point in line with its image.
    MirrorInLine,
    /// The mirror where an empty hand wins.
    MirrorHandWins,
    /// Shown, and nothing is listed.
    ShownNowhere,
    /// Shown, and listed behind it.
    ShownForward,
    ShownCounted,
    /// A situation that is left to a section of its own, which says that it is shown.
    ShownAtStart,
    /// A section that leaves its start to another one.
    LaterAtStart,
    /// Essence without the side to move.
    EssenceMover,
    /// Essence without how many of a kind are in hand.
    EssenceCounts,
    /// Essence without the sizes of hands where an empty hand wins.
    EssenceHands,
    EssenceLiberties,
    /// Essence with runs that go on past held points.
    EssenceRuns,
    /// Essence without the long legs of pods on the board.
    EssenceStruck,
    /// Essence without the pods on the board that long legs of pairs reach.
    EssenceStrikes,
    EssenceLegs,
    EssenceRoom,
}

use Broken::*;

/// All of them with their names; `true` where the claim is false.
pub(in crate::certificate) const ALL: [(Broken, &str, bool); 48] = [
    (Attacks, "attacks", true),
    (Attacked, "attacked", true),
    (Liberty, "liberty", true),
    (Opening, "opening", true),
    (NotInHand, "not-in-hand", true),
    (NoChoice, "no-choice", true),
    (StuckWinner, "stuck-winner", true),
    (StuckLoser, "stuck-loser", true),
    (Hand, "hand", true),
    (LeftOut, "left-out", true),
    (PointLeftOut, "point-left-out", true),
    (CoverOfOne, "cover-of-one", true),
    (CoverShort, "cover-short", true),
    (CoverFromHand, "cover-from-hand", true),
    (CoverHandWins, "cover-hand-wins", true),
    (CoverAlone, "cover-alone", false),
    (PlanOpen, "plan-open", true),
    (PlanHandWins, "plan-hand-wins", true),
    (PlanShort, "plan-short", true),
    (PlanNoFirst, "plan-no-first", true),
    (PlanOfKinds, "plan-of-kinds", true),
    (PlanTheirs, "plan-theirs", true),
    (PlanReached, "plan-reached", true),
    (PlanLiberty, "plan-liberty", true),
    (PlanHand, "plan-hand", true),
    (PlanStops, "plan-stops", true),
    (MirrorMover, "mirror-mover", true),
    (MirrorHands, "mirror-hands", true),
    (MirrorPods, "mirror-pods", true),
    (MirrorLegs, "mirror-legs", true),
    (MirrorLines, "mirror-lines", true),
    (MirrorOwn, "mirror-own", true),
    (MirrorInLine, "mirror-in-line", true),
    (MirrorHandWins, "mirror-hand-wins", true),
    (ShownNowhere, "shown-nowhere", true),
    (ShownForward, "shown-forward", false),
    (ShownCounted, "shown-counted", false),
    (ShownAtStart, "shown-at-start", true),
    (LaterAtStart, "later-at-start", false),
    (EssenceMover, "essence-mover", true),
    (EssenceCounts, "essence-counts", true),
    (EssenceHands, "essence-hands", true),
    (EssenceLiberties, "essence-liberties", true),
    (EssenceRuns, "essence-runs", true),
    (EssenceStruck, "essence-struck", true),
    (EssenceStrikes, "essence-strikes", true),
    (EssenceLegs, "essence-legs", true),
    (EssenceRoom, "essence-room", true),
];

/// A game and a position in which a rule can be broken; small random games hardly ever are of this
/// kind, and larger ones one in 100,000.
struct Rare {
    broken: Broken,
    size: Size,
    /// The lines of the board, as the bits of a word.
    lines: u32,
    legs: &'static [&'static str],
    count: u8,
    rules: &'static str,
    position: &'static str,
}

const RARE: [Rare; 4] = [
    Rare {
        broken: EssenceHands,
        size: (2, 4),
        lines: 0b11_0111_0010_0111,
        legs: &["n e S W NW", "SW", "se W"],
        count: 1,
        rules: "standard+empty-hand=wins",
        position: "2/2/2/2 b abc abc -",
    },
    Rare {
        broken: EssenceLiberties,
        size: (3, 2),
        lines: 0b100_1011_1100,
        legs: &["n e", "e NW", "sw W"],
        count: 1,
        rules: "standard",
        position: "3/3 b abc abc -",
    },
    Rare {
        broken: EssenceRuns,
        size: (3, 2),
        lines: 0b1_1111_1101,
        legs: &["E w nw", "n s", "se nw", "NE"],
        count: 2,
        rules: "standard+placement-liberty=off",
        position: "d2/3 b ab cd -",
    },
    Rare {
        broken: EssenceStrikes,
        size: (2, 3),
        lines: 0b11_0101_0011,
        legs: &["NE", "S w", "SE NW"],
        count: 1,
        rules: "standard+placement-liberty=off",
        position: "2/2/2 b abc abc -",
    },
];

/// A position of a game with pods on some points, and others in hand.
fn random_position(game: &Game, random: &mut Random) -> Option<Position> {
    let (board, pods) = (game.board(), game.pods());
    let mut hands = [0, 1].map(|_| pods.kinds().map(|kind| pods.spec(kind).count).collect::<Vec<u8>>());
    let held = [usize::MAX, 6, 3][random.below(3)];
    let rows = (0..board.rows()).rev().map(|row| {
        let place = |column| {
            let is_held = held != usize::MAX && random.below(held) == 0;
            let (side, kind) = (random.below(2), PodKind::new(random.below(pods.kinds().len())));
            let is_point = board.point_at(crate::geometry::Coord { row, column }).is_some();
            if !is_held || !is_point || hands[side][kind.index()] == 0 {
                return "1".to_owned();
            }
            hands[side][kind.index()] -= 1;
            let id = pods.id(kind).to_string();
            if side == 0 { id.to_uppercase() } else { id }
        };
        (0..board.columns()).map(place).collect::<String>().replace("111", "3").replace("11", "2")
    });
    let rows = rows.collect::<Vec<_>>().join("/");
    if random.below(3) == 0 {
        // Some pods are out of the game.
        for count in hands.iter_mut().flatten() {
            *count -= random.below(2).min(usize::from(*count)) as u8;
        }
    }
    let hand = |hand: &Vec<u8>| {
        let kind = |(number, &count): (usize, &u8)| {
            let id = pods.id(PodKind::new(number));
            [String::new(), id.to_string(), format!("{id}{count}")][usize::from(count.min(2))].clone()
        };
        let text: String = hand.iter().enumerate().map(kind).collect();
        if text.is_empty() { "-".to_owned() } else { text }
    };
    let (mover, open) = (["w", "b"][random.below(2)], ["-", "-", "open"][random.below(3)]);
    game.parse_position(&format!("{rows} {mover} {} {} {open}", hand(&hands[0]), hand(&hands[1]))).ok()
}

/// The image of each point of a board that has all, and what it lacks for the mirror: lines that go
/// to lines, points that are others, points that are not in line.
fn images(board: &Board) -> Option<(Vec<u8>, [bool; 3])> {
    let image = |point| {
        let mut coord = board.coord(point);
        (coord.row, coord.column) = (board.rows() - 1 - coord.row, board.columns() - 1 - coord.column);
        board.point_at(coord)
    };
    let images: Vec<_> = board.points().map(image).collect::<Option<_>>()?;
    let all = || board.points().flat_map(|p| crate::geometry::Direction::ALL.into_iter().map(move |d| (p, d)));
    let next = |p, d| board.connected(p, d);
    let lines = all().any(|(p, d)| {
        next(p, d).map(|n| images[n.index()]) != next(images[p.index()], crate::geometry::Direction::opposite(d))
    });
    let own = board.points().any(|p| images[p.index()] == p);
    let in_line =
        all().any(|(p, d)| std::iter::successors(next(p, d), |&n| next(n, d)).any(|n| n == images[p.index()]));
    Some((images.into_iter().map(|p| p.index() as u8).collect(), [lines, own, in_line]))
}

/// The field with fewer conditions that a rule is broken by, if the board is one for that.
fn lax(broken: Broken, game: &Game, field: &Field) -> Option<Field> {
    let mut lax = field.clone();
    lax.liberty = false;
    let lacks = match broken {
        MirrorLines => [true, false, false],
        MirrorOwn => [false, true, false],
        MirrorInLine => [false, false, true],
        MirrorHandWins => [false; 3],
        _ => return Some(lax),
    };
    let (images, are) = images(game.board())?;
    lax.images = Some(images);
    (are == lacks && field.hand_wins == (broken == MirrorHandWins)).then_some(lax)
}

/// Returns the first line of a certificate for the side to move or against it.
fn header(game: &Game, root: &Position, wins: bool) -> Vec<u8> {
    let value = if wins { Claimed::Win } else { Claimed::Loss };
    let mut line = serde_json::to_vec(&Header::new(CODED, game, root, Claim { value, plies: None })).unwrap();
    line.push(b'\n');
    line
}

/// Makes a short certificate that breaks a rule.
///
/// It tries a random position of each random game; for [`MirrorLegs`], which hardly any random one
/// shows, every position; for the rules of [`RARE`], the position there.
pub(in crate::certificate) fn forge(broken: Broken, is_false: bool) -> Option<Vec<u8>> {
    let mut random = Random(7);
    let mut found: Option<Vec<u8>> = None;
    let mut games = 0;
    let rare = RARE.iter().find(|rare| rare.broken == broken);
    let most = if rare.is_some() { 1 } else { 60_000 };
    while games < most && (found.is_none() || games < 300) {
        games += 1;
        let (game, roots): (Game, Vec<Position>) = if let Some(rare) = rare {
            let game = game_of(rare.size, rare.lines, rare.legs, rare.count, rare.rules);
            let root = game.parse_position(rare.position).unwrap();
            (game, vec![root])
        } else {
            let size = [(2, 2), (3, 1), (3, 2), (1, 4)][random.below(4)];
            let game = random_game(size, board_of(size, &mut random), &mut random);
            let roots = match broken {
                MirrorLegs => every_position(&game).collect(),
                _ => random_position(&game, &mut random).into_iter().collect(),
            };
            (game, roots)
        };
        let field = Field::new(&game);
        let Some(lax) = lax(broken, &game, &field) else { continue };
        let mut small = Small::new(game.clone());
        for root in roots {
            let scene = Scene::new(&game, &root);
            let (wins, _) = small.solve(&scene);
            let winner = if wins == is_false { 1 - scene.mover } else { scene.mover };
            let mut forger = Forger::new(broken, (&field, &lax), winner);
            let at_once = [MirrorHands, MirrorLegs, MirrorLines, MirrorOwn, MirrorInLine, MirrorHandWins];
            if at_once.contains(&broken) && !forger.is_mirrored(&scene) {
                continue;
            }
            let Some((sections, lines)) = forger.sections(&scene) else { continue };
            if !is_false && forger.uses == 0 {
                continue;
            }
            let bytes = sealed(&header(&game, &root, winner == scene.mover), &sections, lines);
            if found.as_ref().is_none_or(|found| bytes.len() < found.len()) {
                found = Some(bytes);
            }
        }
    }
    found
}

pub(in crate::certificate) fn kept(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/corpus/certificates/forged-{name}.proof"))
}

/// Returns parts of certificates that break no rule: header, sections, number of lines.
pub(in crate::certificate) fn unbroken() -> Vec<(Vec<u8>, Vec<Vec<u8>>, u64)> {
    let (mut random, mut parts) = (Random(3), Vec::new());
    for _ in 0..400 {
        let size = [(2, 2), (3, 1), (3, 2)][random.below(3)];
        let game = random_game(size, board_of(size, &mut random), &mut random);
        let Some(root) = random_position(&game, &mut random) else { continue };
        let (field, scene) = (Field::new(&game), Scene::new(&game, &root));
        let winner = if Small::new(game.clone()).solve(&scene).0 { scene.mover } else { 1 - scene.mover };
        // Each breaks its rule only where an empty hand wins, or where it loses.
        let broken = if field.hand_wins { PlanNoFirst } else { CoverHandWins };
        let mut forger = Forger::new(broken, (&field, &field), winner);
        let Some((sections, lines)) = forger.sections(&scene) else { continue };
        parts.push((header(&game, &root, winner == scene.mover), sections, lines));
    }
    parts
}
