//! The search: how it walks, how it judges new positions, and what it answers.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::branches::{Branch, Known, Proof, Reached, Tree};
use crate::answer::best::evaluate::Score;
use crate::answer::best::weights::{MAX_WEIGHED, weigh};
use crate::engine::bitboard::{Bitboard, State};
use crate::engine::{Engine as _, Status};
use crate::position::Action;
use crate::rules::EmptyHand;
use crate::solver::memory::spawn_if_room;
use crate::solver::{Limits, Observer, Outcome, Silent, Tracker};

/// Exploration constant.
const BONUS: f32 = 1.0;

/// Drop in worth, of the 2 between a win and a loss, that divides an action's prior by e.
const SPREAD: f32 = 0.2;

/// Plies from the root beyond which no position is added.
const DEEPEST: usize = 120;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::answer::best) struct Grown {
    /// The action to play. It loses only if all do.
    pub(in crate::answer::best) action: Action,
    /// Proven result for the side to move, a win by the action or a loss by all actions; else a
    /// guess, in the unit of the evaluation.
    pub(in crate::answer::best) found: Result<Outcome, Score>,
    /// The expected play.
    pub(in crate::answer::best) line: Vec<Action>,
    pub(in crate::answer::best) losing: Vec<Action>,
}

pub(in crate::answer::best) struct TreeSearch<'a> {
    engine: &'a Bitboard,
    /// The hashes of the positions that the game has been in, sorted.
    past: Vec<u64>,
    /// True if an empty hand wins.
    by_hand: bool,
}

/// State shared by the threads of a search.
struct Shared {
    tree: Mutex<Tree>,
    /// Nodes so far, and the most there may be.
    nodes: AtomicU64,
    most: u64,
    done: AtomicBool,
}

impl Shared {
    fn tree(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes nodes from what is left for all threads; false if that is less.
    fn take(&self, nodes: u64) -> bool {
        let more = |used: u64| used.checked_add(nodes).filter(|&used| used <= self.most);
        self.nodes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    fn end(&self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

/// Returns a score as the tree has it: the expected result, from −1 to 1.
fn worth(score: Score) -> f32 {
    (f32::from(score) / 2000.0).tanh()
}

/// Returns the inverse of [`worth`].
fn score(worth: f32) -> Score {
    let most = f32::from(MAX_WEIGHED);
    (worth.atanh() * 2000.0).clamp(-most, most) as Score
}

/// Returns the priority of a branch at a node with this square root of its visits. A thread below
/// the branch counts as a loss until it comes back.
fn promise(branch: &Branch, root_of_visits: f32) -> f32 {
    let (visits, pending) = (branch.visits as f32, f32::from(branch.pending));
    let all = visits + pending;
    (branch.worth * visits - pending) / all + BONUS * branch.prior * root_of_visits / (1.0 + all)
}

impl<'a> TreeSearch<'a> {
    /// Creates a search that takes the positions with these hashes for draws.
    pub(in crate::answer::best) fn new(engine: &'a Bitboard, mut past: Vec<u64>) -> TreeSearch<'a> {
        past.sort_unstable();
        let by_hand = engine.game().rules().options().empty_hand == EmptyHand::Wins;
        TreeSearch { engine, past, by_hand }
    }

    /// Returns the action to play, and the nodes of all threads together. Every action but the
    /// `barred` ones is evaluated once, whatever the limits; `None` if all are barred. With one
    /// thread and no limit of time the answer is the same in every run.
    pub(in crate::answer::best) fn grow(
        &self,
        root: &State,
        barred: &[Action],
        limits: Limits<'_>,
        observer: &dyn Observer,
    ) -> (Option<Grown>, u64) {
        let mut actions = self.actions(root);
        actions.retain(|action| !barred.contains(action));
        let first = self.judge(root, &actions, &[root.hash()]);
        if first.is_empty() {
            return (None, 0);
        }
        let decided = first.len() == 1 || Proof::of(&first).is_some();
        let shared = Shared {
            tree: Mutex::new(Tree::new(&first, limits.memory, if decided { 0 } else { limits.nodes })),
            nodes: AtomicU64::new(first.len() as u64),
            most: limits.nodes,
            done: AtomicBool::new(decided),
        };
        // Each thread keeps to the other limits by itself.
        let limits = limits.with_nodes(u64::MAX);
        thread::scope(|scope| {
            for _ in 1..limits.threads {
                let help = || self.work(root, &shared, &mut Tracker::new(limits, &Silent));
                if decided || spawn_if_room(scope, help).is_none() {
                    // Nothing is left to find, or the system gives no more threads: so many have to
                    // do.
                    break;
                }
            }
            self.work(root, &shared, &mut Tracker::new(limits, observer));
        });
        let tree = shared.tree.into_inner().unwrap_or_else(PoisonError::into_inner);
        (grown(&tree), shared.nodes.into_inner())
    }

    /// Walks down the tree again and again, until the root is decided or a limit is reached.
    fn work(&self, root: &State, shared: &Shared, tracker: &mut Tracker<'_>) {
        let (mut way, mut path) = (Vec::new(), Vec::new());
        while !shared.done.load(Ordering::Relaxed) {
            let mut line = Vec::new();
            let Some(reached) = shared.tree().descend(&mut way, &mut line, promise) else { break };
            path.clear();
            path.push(root.hash());
            let mut here = root.clone();
            for &action in &line {
                here = self.engine.play_state(&here, action);
                path.push(here.hash());
            }
            let grows = reached == Reached::Leaf && line.len() < DEEPEST;
            let actions = if grows { self.actions(&here) } else { Vec::new() };
            let nodes = actions.len().max(1) as u64;
            if !shared.take(nodes) || (0..nodes).any(|_| tracker.tick().is_err()) {
                break;
            }
            // What the last action is worth, for the player who took it.
            let branches = self.judge(&here, &actions, &path);
            let proof = if grows { Proof::of(&branches) } else { None };
            let worth = match proof {
                Some(Proof::Won(_)) => -1.0,
                Some(Proof::Lost(_)) => 1.0,
                None if grows => -branches.iter().map(|branch| branch.worth).fold(-1.0, f32::max),
                None => 0.0,
            };
            let mut tree = shared.tree();
            tree.back_up(&way, &branches, worth, proof.map_or(Known::Nothing, Proof::before));
            if Proof::of(tree.root()).is_some() {
                break;
            }
        }
        shared.end();
    }

    fn actions(&self, state: &State) -> Vec<Action> {
        let mut actions = Vec::with_capacity(128);
        self.engine.for_each_action(state, |action| actions.push(action));
        actions
    }

    /// Returns the branches of these actions. The hash of the state is the last one of the path.
    fn judge(&self, state: &State, actions: &[Action], path: &[u64]) -> Vec<Branch> {
        let mut branches = Vec::with_capacity(actions.len());
        for &action in actions {
            let (worth, known) = self.judge_one(state, action, path);
            branches.push(Branch::new(action, worth, known));
        }
        set_priors(&mut branches);
        branches
    }

    /// Evaluates an action for the player who takes it: a guess, and what is proven.
    fn judge_one(&self, state: &State, action: Action, path: &[u64]) -> (f32, Known) {
        const WINS: (f32, Known) = (1.0, Known::Wins(1));
        let mover = state.to_move();
        let next = self.engine.play_state(state, action);
        match self.engine.won_by_hand(&next) {
            Some(winner) if winner == mover => return WINS,
            Some(_) => return (-1.0, Known::Loses(1)),
            None => {}
        }
        if path.contains(&next.hash()) || self.past.binary_search(&next.hash()).is_ok() {
            return (0.0, Known::Repeats);
        }
        let foe = next.to_move();
        let outlook = self.engine.outlook(&next);
        let open = outlook[foe.index()].pairs;
        if open == 0 && self.engine.state_status(&next) == Status::Won(mover) {
            return WINS;
        }
        if self.by_hand && next.pods_in_hand(foe) == 1 && open > 0 && self.ends_it(&next) {
            return (-1.0, Known::Loses(2));
        }
        (-worth(weigh(&outlook, foe.index())), Known::Nothing)
    }

    /// Returns `true` if the mover, who holds one pod, wins by placing it (R16, R19).
    fn ends_it(&self, state: &State) -> bool {
        let mover = state.to_move();
        let wins = |action| self.engine.won_by_hand(&self.engine.play_state(state, action)) == Some(mover);
        self.engine
            .try_for_each_state_action(state, |action| match action {
                Action::Place { .. } if wins(action) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            })
            .is_break()
    }
}

/// Shares the search out among the branches: the better one looks, the more.
fn set_priors(branches: &mut [Branch]) {
    let best = branches.iter().map(|branch| branch.worth).fold(-1.0, f32::max);
    let share = |branch: &Branch| ((branch.worth - best) / SPREAD).exp();
    let sum: f32 = branches.iter().map(share).sum();
    for branch in branches {
        branch.prior = share(branch) / sum;
    }
}

/// Returns the branch to take: the nearest known win; else the branch with the most visits; else
/// the loss that is farthest. Of equal ones the first.
fn chosen(branches: &[Branch]) -> Option<&Branch> {
    let rank = |branch: &Branch| match branch.known {
        Known::Wins(plies) => (2, -i64::from(plies), 0.0),
        Known::Nothing | Known::Repeats => (1, i64::from(branch.visits), branch.worth),
        Known::Loses(plies) => (0, i64::from(plies), 0.0),
    };
    branches.iter().reduce(|best, branch| if rank(branch) > rank(best) { branch } else { best })
}

/// Returns the answer of a tree; `None` if its root has no branches.
fn grown(tree: &Tree) -> Option<Grown> {
    let root = tree.root();
    let best = chosen(root)?;
    let (mut line, mut here) = (vec![best.action], best);
    while let Some(next) = chosen(tree.below(here)) {
        line.push(next.action);
        here = next;
    }
    let loses = |branch: &&Branch| matches!(branch.known, Known::Loses(_));
    Some(Grown {
        action: best.action,
        found: match Proof::of(root) {
            Some(Proof::Won(_)) => Ok(Outcome::Win),
            Some(Proof::Lost(_)) => Ok(Outcome::Loss),
            None => Err(score(best.worth)),
        },
        line,
        losing: root.iter().filter(loses).map(|branch| branch.action).collect(),
    })
}
