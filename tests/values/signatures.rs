//! Numbers that change only knowingly: what searches look at, and what jobs are expected to take. A
//! fault in what only saves work, or only predicts it, changes no value; it shows here. A change
//! that is meant puts its numbers in.

use std::fmt::Write as _;

use crate::common::builtin_game;
use pods::engine::Bitboard;
use pods::material::Side;
use pods::position::{self, Game, Hand, Position};
use pods::solver::search::Search;
use pods::solver::{Exhaustive, Limits, Retrograde, Silent};
use pods::table::{Index, MemoryPlan, TablePlan};

/// Board, orientation, pods, hands, rules.
type Setup = [&'static str; 6];

fn game([board, turn, pods, white, black, rules]: Setup) -> (Game, [Hand; 2]) {
    let game = builtin_game(board, turn.parse().unwrap(), pods, rules);
    let hands = [white, black].map(|hand| Hand::parse(hand, game.pods()).unwrap());
    (game, hands)
}

fn starts(game: &Game, [white, black]: [Hand; 2]) -> [Position; 2] {
    Side::BOTH.map(|side| game.start(white, black, side).unwrap())
}

/// Placement games with the nodes that the search for the winner and exhaustive search took for
/// both starts, one after the other with the same table. Fewer are welcome.
const NODES: [(Setup, u64, u64); 7] = [
    (["cave16", "0", "mini5", "bdoqt", "bdoqt", "standard"], 106552, 47938),
    (["lair16", "90", "mini7", "bdhq", "bdqt", "standard"], 193185, 23313),
    (["cave25", "90", "pods14", "bdho", "bcd", "basic-author"], 27797, 28874),
    (["lair16", "180", "mini7", "bdhk", "bdhk", "standard+attack-through=on"], 248190, 21562),
    (["den12", "0", "mini7", "bdkqt", "bdhtv", "standard+opening=any"], 459, 4891),
    (["den12", "90", "snort", "o5", "o6", "standard+placement-liberty=off+opening=any"], 144, 968),
    (["lair16", "0", "snort", "o8", "o8", "standard+placement-liberty=off+opening=any"], 860, 8924),
];

#[test]
fn searches_look_at_no_more_than_they_did() {
    let (mut found, mut more) = (String::new(), 0);
    for (setup, searched, exhausted) in NODES {
        let (game, hands) = game(setup);
        let starts = starts(&game, hands);
        let search = Search::new(&game, 1 << 22).unwrap();
        let mut exhaustive = Exhaustive::new(Bitboard::new(game.clone()), &[&starts[0], &starts[1]], Limits::default());
        for start in &starts {
            let outcome = search.solve(start, Limits::default(), &Silent).outcome.unwrap();
            assert_eq!(exhaustive.value(start, &Silent).unwrap().outcome(), outcome, "{setup:?}");
        }
        let (nodes, positions) = (search.nodes(), exhaustive.positions());
        writeln!(found, "    ({setup:?}, {nodes}, {positions}),").unwrap();
        more += usize::from(nodes > searched || positions > exhausted);
    }
    assert_eq!(more, 0, "more than there were:\n{found}");
}

/// Predictions: of retrograde analysis, of a table in memory, of a table on disk.
const EXPECTED: &str = "\
ring8 90 trio bdt bdt advanced
  retrograde 540802 positions 24711752 bytes, memory 6849912 50447156
  table 82418 positions, memory 58987582 58960030 58960030, scratch 37592, seconds 0.003
nook9 0 four bdqt bdt advanced-dutch
  retrograde 6959490 positions 292484680 bytes, memory 14031182 52047772
  table 1250472 positions, memory 62689785 62158731 62158731, scratch 1031600, seconds 0.056
den12 180 four bdqt bdt basic-author
  retrograde 11495174 positions 497712344 bytes, exhaustive 2835 117045, memory 30215680 54238640
  table 3089234 positions, memory 69747828 69747828 67324444, scratch 3409856, seconds 0.059
den12 0 mini7 bdt dtv very-advanced
  retrograde 5527618 positions 240937288 bytes, memory 8312048 50815948
  table 391994 positions, memory 59744281 59663209 59663209, scratch 250960, seconds 0.013
lair16 0 snort o3 o2 advanced-author+opening=any
  retrograde 192890 positions 8254760 bytes, memory 6314048 50338324
  table 5036 positions, memory 58732308 58731588 58731588, scratch 2480, seconds 0.000
cave25 0 trio bdt bd standard
  retrograde 8328727 positions 450350068 bytes, exhaustive 2716 164900, memory 57165712 70337788
  table 16075452 positions, memory 92154298 92154298 67362880, scratch 12844592, seconds 0.127
cave36 90 four bdqt bdt advanced
  retrograde 131853649794 positions 7175950125656 bytes, memory 2293312288 1634868064
  table 1364772882 positions, memory 2347257316 2239743028 74569840, scratch 763498400, seconds 14.438
nook9 0 trio bdt bdt advanced+captures=never
  retrograde 415552 positions 17581312 bytes, memory 7020284 50432662
  table 74846 positions, memory 59032397 59032397 59032397, scratch 106600, seconds 0.003
nook9 90 trio bdt bdt advanced+moves=off
  retrograde 1046146 positions 48147016 bytes, memory 7100660 50504758
  table 128942 positions, memory 59112773 59075297 59075297, scratch 106600, seconds 0.003
lair16 advanced from a position: 30549633 1435331108
lair16 standard from a position: 29149 1377044
";

#[test]
fn what_is_expected_is_the_same_in_every_run() {
    let mut found = String::new();
    for setup in [
        ["ring8", "90", "trio", "bdt", "bdt", "advanced"],
        ["nook9", "0", "four", "bdqt", "bdt", "advanced-dutch"],
        ["den12", "180", "four", "bdqt", "bdt", "basic-author"],
        ["den12", "0", "mini7", "bdt", "dtv", "very-advanced"],
        ["lair16", "0", "snort", "o3", "o2", "advanced-author+opening=any"],
        ["cave25", "0", "trio", "bdt", "bd", "standard"],
        ["cave36", "90", "four", "bdqt", "bdt", "advanced"],
        ["nook9", "0", "trio", "bdt", "bdt", "advanced+captures=never"],
        ["nook9", "90", "trio", "bdt", "bdt", "advanced+moves=off"],
    ] {
        let (game, hands) = game(setup);
        let starts = starts(&game, hands);
        let roots = [&starts[0], &starts[1]];
        let engine = Bitboard::new(game.clone());
        let retrograde = Retrograde::predict(&engine, &roots);
        writeln!(found, "{}", setup.join(" ")).unwrap();
        write!(found, "  retrograde {} positions {} bytes", retrograde.positions, retrograde.bytes).unwrap();
        if !game.rules().can_cycle() {
            let exhaustive = Exhaustive::predict(&engine, &starts[0]);
            write!(found, ", exhaustive {} {}", exhaustive.positions, exhaustive.bytes).unwrap();
        }
        let memory = MemoryPlan::new(position::Setup::new(game.clone(), hands)).unwrap();
        writeln!(found, ", memory {} {}", memory.bytes(), memory.bytes_of_verification()).unwrap();
        let total = TablePlan::new(&game, &Index::new(&position::Setup::new(game.clone(), hands)).unwrap()).total;
        write!(
            found,
            "  table {} positions, memory {} {} {}",
            total.positions, total.memory, total.least, total.streamed
        )
        .unwrap();
        writeln!(found, ", scratch {}, seconds {:.3}", total.scratch, total.seconds).unwrap();
    }
    // Pods on the board stay there where nothing moves or is captured.
    for rules in ["advanced", "standard"] {
        let game = builtin_game("lair16", 0, "trio", rules);
        let position = game.parse_position("4/4/4/T2b w bd dt -").unwrap();
        let expected = Retrograde::predict(&Bitboard::new(game), &[&position]);
        writeln!(found, "lair16 {rules} from a position: {} {}", expected.positions, expected.bytes).unwrap();
    }
    assert_eq!(found, EXPECTED);
}
