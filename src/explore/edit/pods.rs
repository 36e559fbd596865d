//! Editing pods.

use serde::Deserialize;
use serde_json::{Value, json};

use super::disown;
use super::draft::{Draft, DraftPod, by_direction};
use crate::drawing::Drawing;
use crate::explore::material::check_text;
use crate::explore::refusal::Refusal;
use crate::geometry::Direction;
use crate::material::{BUILTIN_PODS, Legs, POD_LETTERS, PodSet, PodSpec, Reach, Side, builtin_pods, pods_from_toml};
use crate::report::Found;

/// One change of a pod set.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(in crate::explore) enum PodsChange {
    /// Changes a leg: none becomes short, short long, long none.
    Leg { pod: char, direction: String },
    /// Sets all legs, as a pod file writes them; nothing for none.
    Legs { pod: char, legs: String },
    /// Gives a pod the legs of another.
    Copy { pod: char, from: char },
    /// Turns the pod by 45° clockwise.
    Turn { pod: char },
    /// Mirrors left and right.
    Mirror { pod: char },
    /// Sets how many of the pod each player has.
    Count { pod: char, count: u8 },
    /// Sets the pod's name.
    Called { pod: char, name: String },
    /// Adds a pod without legs.
    Add {},
    /// Removes a pod.
    Drop { pod: char },
    /// A new set of this many pods without legs.
    New { pods: u8 },
    /// Sets the set's name.
    Name { name: String },
    /// Sets the set's source.
    Source { source: String },
}

const fn reach_name(reach: Reach) -> &'static str {
    match reach {
        Reach::Short => "short",
        Reach::Long => "long",
    }
}

fn new_pod(draft: &Draft) -> Result<DraftPod, Refusal> {
    let free = POD_LETTERS.chars().find(|id| draft.pods.iter().all(|pod| pod.id != *id));
    let id = free.ok_or_else(|| Refusal("there are 26 pods: no letter is left".to_owned()))?;
    Ok(DraftPod { id, name: String::new(), count: 1, legs: [None; 8] })
}

fn changed(draft: &mut Draft, change: PodsChange) -> Result<(), Refusal> {
    fn pod(draft: &mut Draft, id: char) -> Result<&mut DraftPod, Refusal> {
        let found = draft.pods.iter_mut().find(|pod| pod.id == id);
        found.ok_or_else(|| Refusal(format!("the set has no pod {id}")))
    }
    match change {
        PodsChange::Leg { pod: id, direction } => {
            let direction = direction.parse::<Direction>().map_err(|error| Refusal(error.to_string()))?;
            let leg = &mut pod(draft, id)?.legs[direction.index()];
            *leg = match leg {
                None => Some(Reach::Short),
                Some(Reach::Short) => Some(Reach::Long),
                Some(Reach::Long) => None,
            };
        }
        PodsChange::Legs { pod: id, legs } => {
            let legs: Option<Legs> = if legs.trim().is_empty() { None } else { Some(legs.parse()?) };
            pod(draft, id)?.legs = by_direction(legs);
        }
        PodsChange::Copy { pod: id, from } => {
            let legs = pod(draft, from)?.legs;
            pod(draft, id)?.legs = legs;
        }
        PodsChange::Turn { pod: id } => pod(draft, id)?.map(|direction| direction.turned(1)),
        PodsChange::Mirror { pod: id } => {
            pod(draft, id)?.map(|direction| Direction::from_clockwise(8 - direction.index() as u8));
        }
        PodsChange::Count { pod: id, count } => pod(draft, id)?.count = count.clamp(1, PodSet::MAX_COUNT),
        PodsChange::Called { pod: id, name } => pod(draft, id)?.name = name,
        PodsChange::Add {} => {
            let new = new_pod(draft)?;
            draft.pods.push(new);
        }
        PodsChange::Drop { pod: id } => {
            pod(draft, id)?;
            draft.pods.retain(|pod| pod.id != id);
        }
        PodsChange::New { pods } => {
            *draft =
                Draft { name: "my-pods".to_owned(), source: "where these pods come from".to_owned(), pods: Vec::new() };
            for _ in 0..pods {
                let new = new_pod(draft)?;
                draft.pods.push(new);
            }
        }
        PodsChange::Name { name } => draft.name = name,
        PodsChange::Source { source } => draft.source = source,
    }
    draft.pods.sort_by_key(|pod| pod.id);
    Ok(())
}

fn is_built_in(draft: &Draft) -> bool {
    let known = builtin_pods(&draft.name);
    known.is_some() && pods_from_toml("pods", &draft.written()).ok() == known
}

/// Returns the pod as its owner sees it, once it has a leg.
fn drawn(pod: &DraftPod) -> Option<String> {
    let spec = PodSpec { id: pod.id, name: pod.name.clone(), legs: pod.legs()?, count: 1 };
    let set = PodSet::new("", "", vec![spec]).ok()?;
    let kind = set.kinds().next()?;
    Some(Drawing::default().embedded().pod(&set, kind, Side::White))
}

/// Returns the pods of a text after a change: their file, and either the output of `pods check` or
/// the fault of the file. The legs of a pod are by direction: `short`, `long` or nothing.
pub(super) fn edit(text: &str, change: Option<PodsChange>) -> Result<Value, Refusal> {
    let mut draft = Draft::read(text)?;
    if let Some(change) = change {
        let is_said = matches!(change, PodsChange::Name { .. } | PodsChange::Source { .. });
        changed(&mut draft, change)?;
        if !is_said && !is_built_in(&draft) {
            let source_of = |name: &str| Some(builtin_pods(name)?.source().to_owned());
            disown((&mut draft.name, &mut draft.source), BUILTIN_PODS, source_of);
        }
    }
    let written = draft.written();
    let (check, fault) = match pods_from_toml("pods", &written) {
        Ok(pods) => (Some(check_text(&Found::pods("pods", &pods))), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let shown = draft.pods.iter().map(|pod| {
        let legs = Direction::ALL.into_iter().zip(pod.legs).map(|(d, leg)| (d.name(), leg.map(reach_name)));
        json!({
            "id": pod.id,
            "name": pod.name,
            "count": pod.count,
            "legs": legs.collect::<Vec<_>>(),
            "words": pod.legs().map_or("no legs".to_owned(), |legs| legs.to_string()),
            "svg": drawn(pod),
        })
    });
    let shown: Value = shown.collect();
    Ok(json!({
        "pods": shown,
        "name": draft.name,
        "source": draft.source,
        "text": written,
        "check": check,
        "fault": fault,
    }))
}
