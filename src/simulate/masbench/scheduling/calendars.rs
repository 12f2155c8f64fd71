//! Calendars with a stated number of windows that are free for all.

use super::{DAY, DURATION, NAMES};
use crate::model::{BusySlots, Calendar};
use crate::stats::rng::Stream;

/// Five calendars with 4 or 5 feasible windows (Simple) or 2 or 3 (Complex).
///
/// The slots that are free for all are placed first: a run of `r` such slots holds `r − DURATION + 1` windows. Every other slot is
/// then covered by meetings of one or two agents, so no further window is free for all.
pub(super) fn generate(stream: &mut Stream, hard: bool) -> Vec<Calendar> {
    let windows = if hard { 2 } else { 4 } + stream.below(2) as i64;
    let free = free_slots(stream, windows);
    let mut busy = vec![vec![false; DAY as usize]; NAMES.len()];
    let mut slot = 0;
    while slot < DAY as usize {
        if free[slot] {
            slot += 1;
            continue;
        }
        // A meeting of 1 to 5 slots, cut at the next free slot, held by one or two of the five.
        let longest = 1 + stream.index(5);
        let end = (slot..(slot + longest).min(DAY as usize)).take_while(|&at| !free[at]).count() + slot;
        let mut members: Vec<usize> = (0..NAMES.len()).collect();
        stream.shuffle(&mut members);
        members.truncate(1 + stream.index(2));
        for member in members {
            busy[member][slot..end].fill(true);
        }
        slot = end;
    }
    NAMES
        .iter()
        .zip(busy)
        .map(|(name, busy)| Calendar { agent: (*name).to_owned(), busy: stretches(&busy) })
        .collect()
}

/// Which slots are free for all: runs, apart by at least one slot, that hold `windows` windows together.
fn free_slots(stream: &mut Stream, windows: i64) -> Vec<bool> {
    let mut runs: Vec<i64> = Vec::new();
    let mut left = windows;
    while left > 0 {
        let held = 1 + stream.below(left.min(2) as u64) as i64;
        runs.push(held + DURATION - 1);
        left -= held;
    }
    // Stars and bars: the blocked slots are shared out before, between and after the runs; between two runs there is at least one.
    let taken: i64 = runs.iter().sum();
    let spare = DAY - taken - (runs.len() as i64 - 1);
    let mut gaps = vec![0_i64; runs.len() + 1];
    for _ in 0..spare {
        let gap = stream.index(gaps.len());
        gaps[gap] += 1;
    }
    let mut free = Vec::with_capacity(DAY as usize);
    for (ix, &run) in runs.iter().enumerate() {
        let gap = gaps[ix] + i64::from(ix > 0);
        free.extend(std::iter::repeat_n(false, gap as usize));
        free.extend(std::iter::repeat_n(true, run as usize));
    }
    free.resize(DAY as usize, false);
    free
}

fn stretches(busy: &[bool]) -> Vec<BusySlots> {
    let mut stretches = Vec::new();
    let mut start = None;
    for (slot, &taken) in busy.iter().chain([&false]).enumerate() {
        match (taken, start) {
            (true, None) => start = Some(slot as i64),
            (false, Some(from)) => {
                stretches.push(BusySlots { start: from, end: slot as i64 });
                start = None;
            }
            _ => {}
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts windows slot by slot, with nothing but the calendars: the brute force.
    fn count_windows(calendars: &[Calendar]) -> usize {
        let free = |slot: i64| {
            calendars
                .iter()
                .all(|calendar| calendar.busy.iter().all(|busy| slot < busy.start || slot >= busy.end))
        };
        (0..=DAY - DURATION).filter(|&start| (start..start + DURATION).all(free)).count()
    }

    #[test]
    fn every_instance_has_the_stated_number_of_windows() {
        let mut seen = [0_u32; 6];
        for number in 0..2_000 {
            let hard = number % 2 == 1;
            let calendars = generate(&mut Stream::new(number, "calendars"), hard);
            let windows = count_windows(&calendars);
            assert!(
                if hard { (2..=3).contains(&windows) } else { (4..=5).contains(&windows) },
                "{number}: {windows}"
            );
            seen[windows] += 1;
            let all = |busy: &BusySlots| 0 <= busy.start && busy.start < busy.end && busy.end <= DAY;
            assert!(calendars.iter().flat_map(|calendar| &calendar.busy).all(all));
        }
        assert!(seen[2..].iter().all(|&count| count > 300), "{seen:?}");
    }

    #[test]
    fn no_agent_can_answer_alone() {
        for number in 0..200 {
            let calendars = generate(&mut Stream::new(number, "alone"), false);
            let all = count_windows(&calendars);
            for calendar in &calendars {
                assert!(count_windows(std::slice::from_ref(calendar)) > all);
            }
        }
    }
}
