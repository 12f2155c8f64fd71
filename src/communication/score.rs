//! Scores of the three tasks, on [0, 100].

use super::answer_f1;
use crate::model::{BusySlots, Calendar, Episode, Instance, MasTask, Prediction};

/// Why an episode has no score of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoScore {
    /// The instance lacks its right answer.
    NoGoldAnswer,
    /// The instance lacks the day's or the meeting's length.
    NoCalendar,
    /// `collected` or `reference_score` is missing.
    NoCollection,
    /// The reference score is 0 or less: no ratio.
    NoReference,
    /// The task is not known.
    UnknownTask,
}

impl NoScore {
    /// The reason in words.
    pub fn reason(self) -> &'static str {
        match self {
            Self::NoGoldAnswer => "the instance has no gold answer",
            Self::NoCalendar => "the instance lacks day_slots or duration_slots",
            Self::NoCollection => "collected or reference_score is missing",
            Self::NoReference => "the reference score is not above 0",
            Self::UnknownTask => "the task is not known",
        }
    }
}

/// The episode's score by the task's rule, whatever the log says.
///
/// Reasoning: [`answer_f1`] × 100. Scheduling: 100 when the window is free for all ([`blockers`]), else 0. Game: collected /
/// reference × 100; it passes 100 where the team beats the reference. No answer scores 0. Source: MASBench, section 4;
/// definitions in `docs/metrics.md`.
///
/// # Errors
///
/// The reason, where the instance lacks what the rule needs.
pub fn score(task: &MasTask, episode: &Episode) -> Result<f64, NoScore> {
    match (task, &episode.instance) {
        (MasTask::Reasoning, Instance::Question { gold_answer, .. }) => {
            let gold = gold_answer.as_deref().ok_or(NoScore::NoGoldAnswer)?;
            Ok(match &episode.prediction {
                Prediction::Text(answer) => answer_f1(answer, gold) * 100.0,
                Prediction::Slot(number) => answer_f1(&number.to_string(), gold) * 100.0,
                Prediction::None | Prediction::Unusable => 0.0,
            })
        }
        (MasTask::Scheduling, Instance::Calendars { day_slots, duration_slots, calendars }) => {
            let (Some(day), Some(duration)) = (*day_slots, *duration_slots) else {
                return Err(NoScore::NoCalendar);
            };
            let Prediction::Slot(start) = episode.prediction else { return Ok(0.0) };
            let window = Window { start, duration };
            let free = window.inside(day) && blockers(window, calendars).next().is_none();
            Ok(if free { 100.0 } else { 0.0 })
        }
        (MasTask::Game, _) => {
            let (Some(collected), Some(reference)) = (episode.collected, episode.reference_score) else {
                return Err(NoScore::NoCollection);
            };
            if reference > 0.0 { Ok(collected / reference * 100.0) } else { Err(NoScore::NoReference) }
        }
        _ => Err(NoScore::UnknownTask),
    }
}

/// A meeting window: half-open, in slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First slot.
    pub start: i64,
    /// Number of slots.
    pub duration: i64,
}

impl Window {
    /// One past the last slot; saturates.
    pub fn end(self) -> i64 {
        self.start.saturating_add(self.duration)
    }

    /// Whether the window has slots and all of them lie in a day of `day` slots.
    pub fn inside(self, day: i64) -> bool {
        self.duration > 0 && self.start >= 0 && self.start <= day.saturating_sub(self.duration)
    }

    /// Whether a busy stretch takes any of its slots.
    pub fn meets(self, busy: BusySlots) -> bool {
        busy.start < busy.end && busy.start < self.end() && self.start < busy.end
    }
}

/// Who is busy in the window, in the calendars' order.
pub fn blockers(window: Window, calendars: &[Calendar]) -> impl Iterator<Item = &str> {
    calendars
        .iter()
        .filter(move |calendar| calendar.busy.iter().any(|&busy| window.meets(busy)))
        .map(|calendar| calendar.agent.as_str())
}

/// Every start at which a window of `duration` slots is inside the day and free for all, ascending.
///
/// Tries each start: days have tens of slots. A day of more than 100 000 slots gives none.
pub fn feasible_starts(day: i64, duration: i64, calendars: &[Calendar]) -> Vec<i64> {
    if !(1..=100_000).contains(&day) {
        return Vec::new();
    }
    (0..day)
        .filter(|&start| {
            let window = Window { start, duration };
            window.inside(day) && blockers(window, calendars).next().is_none()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calendar(agent: &str, busy: &[(i64, i64)]) -> Calendar {
        let busy = busy.iter().map(|&(start, end)| BusySlots { start, end }).collect();
        Calendar { agent: agent.into(), busy }
    }

    #[test]
    fn windows_by_hand() {
        // A day of 8 slots; A is busy 0–1 and 4–5, B in slot 2, overlapping stretches count once.
        let calendars = [
            calendar("A", &[(0, 2), (4, 6), (5, 6)]),
            calendar("B", &[(2, 3)]),
            calendar("C", &[(3, 3), (9, 12)]),
        ];
        assert_eq!(feasible_starts(8, 2, &calendars), [6]);
        assert_eq!(feasible_starts(8, 1, &calendars), [3, 6, 7]);
        assert_eq!(feasible_starts(8, 9, &calendars), [] as [i64; 0]);
        let names = |start| blockers(Window { start, duration: 2 }, &calendars).collect::<Vec<_>>();
        assert_eq!(names(1), ["A", "B"]);
        assert_eq!(names(6), [] as [&str; 0]);
        assert!(!Window { start: 7, duration: 2 }.inside(8));
        assert!(!Window { start: -1, duration: 2 }.inside(8));
        assert!(!Window { start: i64::MAX, duration: 2 }.inside(8));
        assert!(!Window { start: 0, duration: 0 }.inside(8));
    }
}
