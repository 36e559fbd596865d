//! Columns: the parts of a tier that are swept one by one, since each reads little of the rest.
//!
//! An action leaves the pods that the opponent has on the board there, pushed or not, or captures
//! some of them and leads to an earlier tier, where the opponent has the rest on the board. A
//! *column* is the set of positions of a player in which the opponent has the same pods on the
//! board. Its positions lead to positions of the same column with the opponent to move, and, for
//! each set of pods captured, to one column of an earlier tier.

use crate::material::Side;
use crate::table::index::{Groups, Index, TierSide, captures, key};
use hashbrown::HashMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::table::retro) struct Column {
    pub(in crate::table::retro) slices: Vec<usize>,
    /// The earlier tiers that captures lead to, each with the slices reached.
    pub(in crate::table::retro) earlier: Vec<(TierSide, Vec<usize>)>,
}

/// Returns the columns of a tier in which `mover` is to move.
pub(in crate::table::retro) fn columns(index: &Index, number: usize, mover: Side) -> Vec<Column> {
    let to_move = mover.other();
    let tier = &index.tiers()[number];
    let mut of_tiers: HashMap<usize, Groups> = HashMap::new();
    let column = |slices: &[usize]| {
        let on_board = tier.slices()[slices[0]].on_board();
        let key = key(index, on_board, to_move);
        let earlier = captures(index, number, on_board, to_move).map(|(tier, lost)| {
            let of_tier = of_tiers.entry(tier).or_insert_with(|| Groups::new(index, &index.tiers()[tier], to_move));
            (TierSide { tier, to_move }, of_tier.with_key(key - lost).to_vec())
        });
        let mut earlier: Vec<_> = earlier.filter(|(_, slices)| !slices.is_empty()).collect();
        earlier.sort_unstable();
        Column { slices: slices.to_vec(), earlier }
    };
    Groups::new(index, tier, to_move).iter().map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Preset;
    use crate::table::index::{each_step, slice_of};
    use crate::table::testing::whole;

    #[test]
    fn actions_lead_to_the_column_and_to_its_columns_of_earlier_tiers_only() {
        for (preset, pods) in Preset::ALL.into_iter().flat_map(|p| [(p, "trio"), (p, "alike")]) {
            let (game, index) = whole("ring8", pods, preset);
            let (mut here, mut earlier) = (0, 0);
            for (number, tier) in index.tiers().iter().enumerate() {
                let columns = Side::BOTH.map(|mover| columns(&index, number, mover));
                for columns in &columns {
                    let mut all: Vec<usize> = columns.iter().flat_map(|column| column.slices.clone()).collect();
                    all.sort_unstable();
                    assert!(all.into_iter().eq(0..tier.slices().len()), "each slice is in one column");
                }
                each_step(&game, &index, number, |step| {
                    let mover = step.position.to_move();
                    let (from, _) = slice_of(&index, step.from);
                    let (to, _) = slice_of(&index, step.to);
                    let mut columns = columns[mover.index()].iter();
                    let column = columns.find(|column| column.slices.contains(&from)).unwrap();
                    let tier_side = TierSide { tier: step.to.tier, to_move: step.next.to_move() };
                    assert_eq!(tier_side.to_move, mover.other());
                    if tier_side.tier == number {
                        assert!(column.slices.contains(&to), "{preset:?}");
                        here += 1;
                    } else {
                        let (_, slices) = column.earlier.iter().find(|(of, _)| *of == tier_side).unwrap();
                        assert!(slices.contains(&to), "{preset:?}");
                        earlier += 1;
                    }
                });
            }
            let captures = index.tiers().len() > 1;
            assert!(here > 200 && (earlier > 50) == captures, "{preset:?}: {here} {earlier}");
        }
    }
}
