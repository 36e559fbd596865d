//! A pod file that is being made: pods may have no legs yet.

use serde::Deserialize;

use super::quoted;
use crate::explore::material::{is_text, pods_of};
use crate::explore::refusal::Refusal;
use crate::geometry::Direction;
use crate::material::{Leg, Legs, PodSet, Reach, pods_from_toml};

/// A pod that may have no legs yet.
#[derive(Clone, Debug)]
pub(super) struct DraftPod {
    pub(super) id: char,
    pub(super) name: String,
    pub(super) count: u8,
    /// By direction, clockwise from north.
    pub(super) legs: [Option<Reach>; 8],
}

/// A pod file whose pods may have no legs yet.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) source: String,
    pub(super) pods: Vec<DraftPod>,
}

/// A pod file as TOML.
#[derive(Deserialize)]
struct PodsFile {
    #[serde(default)]
    name: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    pod: Vec<FilePod>,
}

#[derive(Deserialize)]
struct FilePod {
    id: char,
    #[serde(default)]
    name: String,
    #[serde(default)]
    legs: String,
    #[serde(default = "one")]
    count: u8,
}

const fn one() -> u8 {
    1
}

pub(super) fn by_direction(legs: Option<Legs>) -> [Option<Reach>; 8] {
    Direction::ALL.map(|direction| legs.and_then(|legs| legs.toward(direction)).map(|leg| leg.reach))
}

impl DraftPod {
    /// Returns the legs, if there are any.
    pub(super) fn legs(&self) -> Option<Legs> {
        let legs = Direction::ALL.into_iter().zip(self.legs);
        Legs::new(legs.filter_map(|(direction, reach)| Some(Leg { direction, reach: reach? })))
    }

    /// Turns or mirrors the legs; `to` says where each direction goes.
    pub(super) fn map(&mut self, to: impl Fn(Direction) -> Direction) {
        let mut legs = [None; 8];
        for direction in Direction::ALL {
            legs[to(direction).index()] = self.legs[direction.index()];
        }
        self.legs = legs;
    }
}

impl Draft {
    /// Reads a pod file, also one in which only legs are missing.
    pub(super) fn read(text: &str) -> Result<Draft, Refusal> {
        if !is_text(text) {
            return Ok(Draft::of(&pods_of(text)?));
        }
        let error = match pods_from_toml("pods", text) {
            Ok(pods) => return Ok(Draft::of(&pods)),
            Err(error) => error,
        };
        let Ok(file) = toml::from_str::<PodsFile>(text) else { return Err(error.into()) };
        let mut pods = Vec::new();
        for FilePod { id, name, legs, count } in file.pod {
            let legs =
                if legs.trim().is_empty() { None } else { Some(legs.parse().map_err(|_| Refusal(error.to_string()))?) };
            pods.push(DraftPod { id, name, count, legs: by_direction(legs) });
        }
        Ok(Draft { name: file.name, source: file.source, pods })
    }

    fn of(pods: &PodSet) -> Draft {
        let all = pods.kinds().map(|kind| {
            let spec = pods.spec(kind);
            DraftPod { id: spec.id, name: spec.name.clone(), count: spec.count, legs: by_direction(Some(spec.legs)) }
        });
        Draft { name: pods.name().to_owned(), source: pods.source().to_owned(), pods: all.collect() }
    }

    /// Returns the file.
    pub(super) fn written(&self) -> String {
        let mut text = format!("name = {}\nsource = {}\n", quoted(&self.name), quoted(&self.source));
        for pod in &self.pods {
            let legs = pod.legs().map(|legs| legs.to_string()).unwrap_or_default();
            text.push_str(&format!("\n[[pod]]\nid = {}\n", quoted(&pod.id.to_string())));
            if !pod.name.is_empty() {
                text.push_str(&format!("name = {}\n", quoted(&pod.name)));
            }
            text.push_str(&format!("legs = {}\n", quoted(&legs)));
            if pod.count != 1 {
                text.push_str(&format!("count = {}\n", pod.count));
            }
        }
        text
    }
}
