//! The five SwarmBench tasks and the names they go by.

use std::fmt;

/// A SwarmBench task. Unknown tasks are kept by their logged name, so that newer benchmarks still work.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SwarmTask {
    /// Surround the prey.
    Pursuit,
    /// All lights on, then all off, in alternation.
    Synchronization,
    /// Carry food to the nest.
    Foraging,
    /// Form the target shape.
    Flocking,
    /// Push the box out of the gap and leave.
    Transport,
    /// A task that this version does not know.
    Other(String),
}

impl SwarmTask {
    /// The five known tasks, in the paper's order.
    pub const KNOWN: [Self; 5] =
        [Self::Pursuit, Self::Synchronization, Self::Foraging, Self::Flocking, Self::Transport];

    /// The task of a logged name; letter case and spelling variants (`Synchronize`) are folded.
    pub fn from_name(name: &str) -> Self {
        let folded: String =
            name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        match folded.as_str() {
            "pursuit" | "pursue" | "encircle" => Self::Pursuit,
            "synchronization" | "synchronize" | "synchronisation" | "synchronise" | "sync" => {
                Self::Synchronization
            }
            "foraging" | "forage" => Self::Foraging,
            "flocking" | "flock" => Self::Flocking,
            "transport" | "transportation" => Self::Transport,
            _ => Self::Other(name.trim().to_owned()),
        }
    }

    /// The canonical name.
    pub fn name(&self) -> &str {
        match self {
            Self::Pursuit => "Pursuit",
            Self::Synchronization => "Synchronization",
            Self::Foraging => "Foraging",
            Self::Flocking => "Flocking",
            Self::Transport => "Transport",
            Self::Other(name) => name,
        }
    }
}

impl fmt::Display for SwarmTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_fold_and_unknown_names_stay() {
        assert_eq!(SwarmTask::from_name("Synchronize"), SwarmTask::Synchronization);
        assert_eq!(SwarmTask::from_name(" FLOCKING "), SwarmTask::Flocking);
        assert_eq!(SwarmTask::from_name("Herding"), SwarmTask::Other("Herding".into()));
        for task in SwarmTask::KNOWN {
            assert_eq!(SwarmTask::from_name(task.name()), task);
        }
    }
}
