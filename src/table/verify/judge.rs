//! The value of one position from those of its next positions, as an engine finds them.

use crate::engine::bitboard::State;
use crate::engine::reference::Reference;
use crate::engine::{Bitboard, Engine, Status};
use crate::material::{PodKind, Side};
use crate::position::Position;
use crate::rules::EmptyHand;
use crate::solver::{Discrepancy, Value};
use crate::table::index::{Arrangement, Index, MAX_ON_BOARD, Place, Placed};
use crate::table::storage::value_of;
use crate::table::verify::rows::{BoardTables, Stored};

/// Judge of single positions: derives their values from those that are stored.
pub(super) struct Judge<'a, S> {
    engine: &'a Bitboard,
    index: &'a Index,
    reference: Reference,
    stored: &'a S,
    /// Says which positions exist.
    pub(super) tables: BoardTables,
    piece_types: [[Option<u8>; PodKind::MAX]; 2],
}

impl<S: Stored> Judge<'_, S> {
    pub(in crate::table) fn new<'a>(engine: &'a Bitboard, index: &'a Index, stored: &'a S) -> Judge<'a, S> {
        let mut piece_types = [[None; PodKind::MAX]; 2];
        for (number, piece_type) in index.piece_types().iter().enumerate() {
            piece_types[piece_type.side.index()][piece_type.kind.index()] = Some(number as u8);
        }
        let tables = BoardTables::new(engine.game(), index.piece_types());
        Judge { engine, index, reference: Reference::new(engine.game().clone()), stored, tables, piece_types }
    }

    fn stored(&self, place: Place, to_move: Side) -> Value {
        value_of(self.stored.code(self.index, place, to_move))
    }

    fn compare(&self, place: Place, position: &Position, derived: Value) -> Result<(), Discrepancy> {
        let stored = self.stored(place, position.to_move());
        if stored == derived {
            return Ok(());
        }
        let cause = format!("the table says {stored}, its next positions say {derived}");
        Err(Discrepancy { position: position.display(self.reference.game()).to_string(), cause })
    }

    /// Reports that an action leads to a position that the table does not hold.
    fn not_held(&self, position: &Position, next: &Position) -> Discrepancy {
        let game = self.reference.game();
        let cause = format!(
            "an action leads to {}, which no table has to hold, or for which there is no place",
            next.display(game)
        );
        Discrepancy { position: position.display(game).to_string(), cause }
    }

    /// Returns the value of a state: by empty hands (R30), or as it is stored; `None` if no table
    /// has to hold it, or the index has no place for it.
    fn of_state(&self, state: &State) -> Option<Value> {
        let piece_types = self.index.piece_types();
        let mut alive = [0_u8; 2 * PodKind::MAX];
        let mut hands = [0_u32; 2];
        for (alive, piece_type) in alive.iter_mut().zip(piece_types) {
            *alive = state.in_hand(piece_type.side, piece_type.kind);
            hands[piece_type.side.index()] += u32::from(*alive);
        }
        let mover = state.to_move();
        if self.engine.game().rules().options().empty_hand == EmptyHand::Wins {
            if hands[mover.other().index()] == 0 {
                return Some(Value::Loss(0));
            }
            if hands[mover.index()] == 0 {
                return Some(Value::Win(0));
            }
        }
        let mut pods = Arrangement::EMPTY;
        let mut known = true;
        state.for_each_pod(|point, side, kind| match self.piece_types[side][kind] {
            Some(piece_type) if pods.pods().len() < MAX_ON_BOARD => {
                alive[piece_type as usize] += 1;
                pods.insert(Placed { piece_type, point: point as u8 });
            }
            _ => known = false,
        });
        if !known || !self.tables.exists(&pods) {
            return None;
        }
        let tier = self.index.tier_of(&alive[..piece_types.len()])?;
        self.index.place(tier, &pods).map(|place| self.stored(place, mover))
    }

    pub(super) fn by_fast(&self, place: Place, position: &Position) -> Result<(), Discrepancy> {
        let state = self.engine.state(position);
        let stored = self.stored(place, position.to_move());
        let (mut best, mut not_held): (Option<Value>, _) = (None, None);
        self.engine.for_each_action(&state, |action| {
            // Nothing is better than to win at once; what is stored so needs no more than one such
            // action.
            if best == Some(Value::Win(1)) && stored == Value::Win(1) {
                return;
            }
            let next = self.engine.play_state(&state, action);
            match self.of_state(&next) {
                Some(value) => best = best.max(Some(value.before())),
                None => not_held = Some(next),
            }
        });
        if let Some(next) = not_held {
            return Err(self.not_held(position, &self.engine.position(&next)));
        }
        self.compare(place, position, best.unwrap_or(Value::Loss(0)))
    }

    pub(super) fn by_reference(&self, place: Place, position: &Position) -> Result<(), Discrepancy> {
        let finished = |position: &Position| match self.reference.status(position) {
            Status::Won(side) if side == position.to_move() => Some(Value::Win(0)),
            Status::Won(_) => Some(Value::Loss(0)),
            Status::Ongoing => None,
        };
        if let Some(value) = finished(position) {
            return self.compare(place, position, value);
        }
        if self.tables.leaves_out_blocked() && !self.reference.blocked_pods(position).is_empty() {
            let cause =
                "the reference engine finds a blocked pod, and by the board and the legs there is none".to_owned();
            return Err(Discrepancy { position: position.display(self.reference.game()).to_string(), cause });
        }
        let mut best = None;
        for action in self.reference.sorted_actions(position) {
            let Some(next) = self.reference.transition(position, action).map(|result| result.next) else {
                let game = self.reference.game();
                let cause = format!("the reference engine lists {} and does not apply it", action.display(game));
                return Err(Discrepancy { position: position.display(game).to_string(), cause });
            };
            let stored = || self.index.find(&next).map(|place| self.stored(place, next.to_move()));
            let value = finished(&next).or_else(stored).ok_or_else(|| self.not_held(position, &next))?;
            best = best.max(Some(value.before()));
        }
        self.compare(place, position, best.unwrap_or(Value::Loss(0)))
    }
}
