//! The lemmas of LEMMAS.md, as they are stated there, over all positions of small games.

use std::time::{Duration, Instant};

use hashbrown::{HashMap, HashSet};

use self::games::{Random, Size, all_games, boards_of, every_position, random_game};
use super::counting::Plan;
use super::essence::{Secret, key};
use super::field::{Field, bits};
use super::judge::AsPosition;
use super::scene::{Living, PairSets, Scene, Surroundings};
use crate::position::Game;

pub(super) mod games;

#[derive(Clone, Copy, Debug, Default)]
struct Cases {
    boards: u64,
    games: u64,
    /// Situations that play and covers lead to from any position.
    situations: u64,
    with_covers: u64,
    /// Those in which the opening clause binds.
    openings: u64,
    /// Situations compared with the reference engine.
    compared: u64,
    covers: u64,
    covers_won: u64,
    dead_pairs: u64,
    smaller_rooms: u64,
    plans: u64,
    mirrors: u64,
    essences: u64,
}

/// A situation of at most eight points and four kinds, as few words.
type Identity = [u64; 6];

/// A game with what is known of its situations.
pub(super) struct Small {
    field: Field,
    game: Game,
    secret: Secret,
    /// By situation: whether the mover wins, and the pairs of both sides that are legal in it or
    /// in any that play leads to.
    known: HashMap<Identity, (bool, [[u64; 4]; 2])>,
    /// The situations on which the lemmas were tried.
    tried: HashSet<Identity>,
    /// By key: whether the mover wins, and the situation.
    essences: HashMap<[u8; 16], (bool, Identity)>,
}

fn identity(scene: &Scene) -> Identity {
    let hands = scene.hands.iter().flat_map(|hand| hand[..4].iter().copied());
    let sets = scene.legs.iter().chain(&scene.long).flatten().chain(&scene.held).map(|&set| set as u8);
    let mut identity = Identity::default();
    for (i, byte) in sets.chain(hands).chain([scene.mover as u8, u8::from(scene.open)]).enumerate() {
        identity[i / 8] |= u64::from(byte) << (i % 8 * 8);
    }
    identity
}

impl Small {
    pub(super) fn new(game: Game) -> Small {
        let (field, secret) = (Field::new(&game), Secret::new());
        let (known, tried, essences) = (HashMap::new(), HashSet::new(), HashMap::new());
        Small { field, game, secret, known, tried, essences }
    }

    /// Solves a situation by the rules alone: true if the mover wins, and the pairs that are ever
    /// legal.
    pub(super) fn solve(&mut self, scene: &Scene) -> (bool, [[u64; 4]; 2]) {
        let identity = identity(scene);
        if let Some(known) = self.known.get(&identity) {
            return *known;
        }
        let around = Surroundings::new(&self.field, scene);
        let legal = [0, 1].map(|side| around.legal(&self.field, scene, side));
        let mut ever = legal.map(|pairs| std::array::from_fn(|kind| pairs.at[kind]));
        let result = match scene.won_by_hand(&self.field) {
            Some(side) => (side == scene.mover, ever),
            None => {
                let mut wins = false;
                for (kind, point) in pairs_of(&around.choices(&self.field, scene)) {
                    let (foe_wins, later) = self.solve(&scene.after(&self.field, kind, point));
                    wins |= !foe_wins;
                    ever.as_flattened_mut().iter_mut().zip(later.as_flattened()).for_each(|(all, more)| *all |= more);
                }
                (wins, ever)
            }
        };
        self.known.insert(identity, result);
        result
    }

    /// Tries all lemmas on a situation, and on those with a cover on the board that follow.
    fn try_lemmas(&mut self, scene: &Scene, has_cover: bool, cases: &mut Cases) {
        let identity = identity(scene);
        if !self.tried.insert(identity) {
            return;
        }
        cases.situations += 1;
        cases.with_covers += u64::from(has_cover);
        cases.openings += u64::from(scene.open);
        if cases.situations.is_multiple_of(199) {
            self.compare(scene, cases);
        }
        let (wins, ever) = self.solve(scene);
        let around = Surroundings::new(&self.field, scene);
        let living = Living::new(&self.field, scene, &around);
        for (side, ever) in ever.iter().enumerate() {
            for kind in bits(u64::from(scene.kinds[side])) {
                let dead = around.empty & !living.pairs[side].at[kind];
                assert_eq!(ever[kind] & dead, 0, "a dead pair is legal: {scene:?}");
                cases.dead_pairs += u64::from(dead.count_ones());
            }
        }
        if scene.won_by_hand(&self.field).is_some() {
            return;
        }
        if !scene.open {
            let essence = key(&self.field, scene, &around, &living, self.secret);
            let (other_wins, other) = self.essences.entry(essence).or_insert((wins, identity));
            assert_eq!(*other_wins, wins, "equal essences: {scene:?}");
            cases.essences += u64::from(*other != identity);
        }
        let choices = around.choices(&self.field, scene);
        for (kind, point) in pairs_of(&choices) {
            let next = scene.after(&self.field, kind, point);
            self.room_is_smaller(&living, &next, cases);
            // Those without a cover are positions, and are tried anyway.
            if has_cover {
                self.try_lemmas(&next, true, cases);
            }
        }
        if self.field.hand_wins {
            return;
        }
        if scene.is_mirrored(&self.field) {
            assert!(!wins, "mirrored: {scene:?}");
            cases.mirrors += 1;
        }
        for winner in if scene.open { 0..0 } else { 0..2 } {
            let plan = Plan::new(&self.field, scene, &around, &living, winner);
            if can_be_made(&plan) {
                assert_eq!(wins, scene.mover == winner, "counting: {scene:?}");
                cases.plans += 1;
            } else {
                assert_eq!(plan.find(), None, "a plan that is none: {scene:?}");
            }
        }
        for point in bits(choices.any) {
            let kinds = choices.kinds_at(point);
            if kinds.count_ones() < 2 {
                continue;
            }
            let cover = scene.cover(&self.field, kinds, point);
            self.room_is_smaller(&living, &cover, cases);
            cases.covers += 1;
            if self.solve(&cover).0 {
                cases.covers_won += 1;
                for kind in bits(u64::from(kinds)) {
                    let after = scene.after(&self.field, kind, point);
                    assert!(self.solve(&after).0, "a cover: {scene:?}, {kind}@{point}");
                }
            }
            self.try_lemmas(&cover, true, cases);
        }
    }

    fn room_is_smaller(&self, living: &Living, next: &Scene, cases: &mut Cases) {
        let room = Living::new(&self.field, next, &Surroundings::new(&self.field, next)).room;
        assert!(room & !living.room == 0 && room != living.room, "the room of {next:?}");
        cases.smaller_rooms += 1;
    }

    /// Compares the rules of a situation with the reference engine.
    fn compare(&self, scene: &Scene, cases: &mut Cases) {
        let choices = Surroundings::new(&self.field, scene).choices(&self.field, scene);
        if scene.won_by_hand(&self.field).is_none()
            && let Some(position) = AsPosition::new(&self.game, &self.field, scene)
        {
            assert_eq!(position.differs(&choices), None);
            cases.compared += 1;
        }
    }
}

pub(super) fn pairs_of(pairs: &PairSets) -> Vec<(usize, usize)> {
    bits(u64::from(pairs.kinds)).flat_map(|kind| bits(pairs.at[kind]).map(move |point| (kind, point))).collect()
}

pub(super) fn can_be_made(plan: &Plan<'_>) -> bool {
    plan.missing == 0
        || plan.pairs().any(|pair| {
            let mut next = plan.clone();
            next.go_on(pair);
            can_be_made(&next)
        })
}

impl Cases {
    fn try_game(&mut self, game: Game) {
        let mut small = Small::new(game.clone());
        for position in every_position(&game) {
            small.try_lemmas(&Scene::new(&game, &position), false, self);
        }
        self.games += 1;
    }
}

enum Games {
    /// All boards of the size again and again, each time with other pods and rules; the last round
    /// may be a part of one.
    Random,
    /// All games with lines along at most so many axes and a kind for each count, if there is time.
    All(usize, &'static [u8]),
}

/// Sizes of boards, games and shares of the time, in hundredths. What one leaves is for those after
/// it.
const ROWS: [(Size, Games, u32); 11] = [
    ((3, 1), Games::All(4, &[1, 1]), 1),
    ((3, 1), Games::All(4, &[1, 2]), 1),
    ((3, 1), Games::All(4, &[1, 1, 1]), 1),
    ((2, 2), Games::All(2, &[1, 1, 1]), 7),
    ((2, 2), Games::All(4, &[1, 1]), 15),
    ((2, 2), Games::All(4, &[1, 2]), 25),
    ((3, 2), Games::All(1, &[1, 1]), 2),
    ((3, 2), Games::All(2, &[1, 1]), 20),
    ((2, 2), Games::Random, 2),
    ((3, 1), Games::Random, 1),
    ((3, 2), Games::Random, 25),
];

/// Tries the games of a row until they end or the time is over; returns how many there are in the
/// list of all, and the cases.
fn try_row(size: Size, games: &Games, time: Duration, seed: u64) -> (Option<usize>, Cases) {
    let (begun, mut cases, mut random) = (Instant::now(), Cases::default(), Random(seed));
    let boards = boards_of(size);
    match games {
        Games::All(axes, counts) => {
            let all = all_games(size, *axes, counts);
            let mut met = HashSet::new();
            for listed in all.iter().take_while(|_| begun.elapsed() < time) {
                met.insert(listed.board());
                cases.try_game(listed.game(size));
            }
            cases.boards = met.len() as u64;
            (Some(all.len()), cases)
        }
        Games::Random => {
            // All of them in a mixed order, so that a part of a round is a sample.
            for number in (0_u32..).take_while(|_| begun.elapsed() < time) {
                let set = number.wrapping_mul(0x9e37_79b1) % boards;
                cases.try_game(random_game(size, set, &mut random));
                cases.boards += u64::from(number < boards);
            }
            (None, cases)
        }
    }
}

#[test]
fn the_lemmas_hold_on_small_boards() {
    for (size, least) in [((2, 2), 64), ((3, 1), 8), ((3, 2), 4)] {
        let mut cases = Cases::default();
        let mut random = Random(1);
        let boards = boards_of(size);
        for number in 0..least {
            let set = if boards == least { number } else { random.below(boards as usize) as u32 };
            cases.try_game(random_game(size, set, &mut random));
        }
        assert!(cases.covers_won > 10 && cases.plans > 100 && cases.essences > 100, "{size:?} {cases:?}");
        assert!(cases.openings > 100 && cases.with_covers > 100, "{size:?} {cases:?}");
    }
}

/// `scripts/lemmas.sh` runs this for an hour. It writes a table to the file `PODS_LEMMAS_FILE`, and
/// takes `PODS_LEMMAS_SECONDS`.
#[test]
#[ignore = "takes as long as it is told to"]
fn the_lemmas_hold_on_all_small_boards() {
    let seconds: u32 = std::env::var("PODS_LEMMAS_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let file = std::env::var_os("PODS_LEMMAS_FILE");
    let mut table = "columns,rows,pods,axes,all_boards,all_games,boards,games,situations,with_covers,openings,\
                     compared_with_reference,covers,covers_won,dead_pairs,smaller_rooms,plans,mirrors,equal_essences\n"
        .to_owned();
    let (begun, mut shares) = (Instant::now(), 0);
    for (number, (size, games, share)) in ROWS.into_iter().enumerate() {
        shares += share;
        let time = (Duration::from_secs(seconds.into()) * shares / 100).saturating_sub(begun.elapsed());
        let (all, c) = try_row(size, &games, time, number as u64 + 1);
        let (pods, axes) = match games {
            Games::Random => ("random".to_owned(), 4),
            Games::All(axes, counts) => (counts.iter().map(u8::to_string).collect::<Vec<_>>().join(" "), axes),
        };
        let all = all.map_or(String::new(), |all| all.to_string());
        table += &format!("{},{},{pods},{axes},{},{all}", size.0, size.1, boards_of(size));
        let cases = [c.boards, c.games, c.situations, c.with_covers, c.openings, c.compared, c.covers, c.covers_won];
        let more = [c.dead_pairs, c.smaller_rooms, c.plans, c.mirrors, c.essences];
        cases.iter().chain(&more).for_each(|number| table += &format!(",{number}"));
        table.push('\n');
        // After every row, so that a run that is stopped has shown something.
        if let Some(file) = &file {
            std::fs::write(file, &table).unwrap();
        }
    }
    assert_eq!(table.lines().count(), 1 + ROWS.len());
}
