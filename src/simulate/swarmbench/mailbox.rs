//! Messages on their way: delivered one round after they were sent, later and garbled where the rules say so.

use super::rules::Rules;
use crate::stats::rng::Stream;

/// A message as it is delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// Round in which it was sent.
    pub sent: u32,
    /// Who sent it.
    pub from: u32,
    /// What arrives.
    pub text: String,
}

/// Characters that noise puts in place of others.
const NOISE: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// The messages of a run that are still on their way.
#[derive(Clone, Debug)]
pub struct Mailbox {
    seed: u64,
    noise: f64,
    delay: u32,
    /// With the round of delivery.
    waiting: Vec<(u32, Delivered)>,
}

impl Mailbox {
    /// An empty mailbox under these rules.
    pub fn new(rules: &Rules) -> Self {
        Self { seed: rules.seed as u64, noise: rules.noise, delay: rules.delay, waiting: Vec::new() }
    }

    /// Posts an agent's message of this round. Empty ones are not sent.
    ///
    /// With the chance `noise` the message is corrupted: every character but white space is replaced with
    /// chance ½. It takes `1 + d` rounds, `d` uniform in `0..=delay` (paper, app. L.4). Both draws come
    /// from the run's seed, the round and the sender alone, so that a re-simulation makes the same ones.
    pub fn post(&mut self, round: u32, from: u32, text: &str) {
        if text.is_empty() {
            return;
        }
        let mut text = text.to_owned();
        if self.noise > 0.0 {
            let mut stream = self.stream("noise", round, from);
            if stream.uniform() < self.noise {
                text = garble(&text, &mut stream);
            }
        }
        let late = if self.delay == 0 {
            0
        } else {
            self.stream("delay", round, from).below(u64::from(self.delay) + 1) as u32
        };
        self.waiting.push((round + 1 + late, Delivered { sent: round, from, text }));
    }

    /// Takes out what arrives at the start of a round, by round sent and sender.
    pub fn deliver(&mut self, round: u32) -> Vec<Delivered> {
        let (due, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(|(at, _)| *at <= round);
        self.waiting = waiting;
        let due: Vec<(u32, Delivered)> = due;
        let mut due: Vec<Delivered> = due.into_iter().map(|(_, message)| message).collect();
        due.sort_by_key(|message| (message.sent, message.from));
        due
    }

    fn stream(&self, what: &str, round: u32, from: u32) -> Stream {
        Stream::new(self.seed, &format!("simulate/swarmbench/{what}/{round}/{from}"))
    }
}

fn garble(text: &str, stream: &mut Stream) -> String {
    text.chars()
        .map(|c| {
            if c.is_whitespace() || stream.below(2) == 0 {
                c
            } else {
                char::from(NOISE[stream.index(NOISE.len())])
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::swarmbench::Task;

    fn rules(noise: f64, delay: u32) -> Rules {
        Rules { noise, delay, ..Rules::released(Task::Pursuit, 3) }
    }

    #[test]
    fn without_noise_and_delay_everything_arrives_in_the_next_round() {
        let mut mailbox = Mailbox::new(&rules(0.0, 0));
        mailbox.post(4, 1, "b");
        mailbox.post(4, 0, "a");
        mailbox.post(4, 2, "");
        let due = mailbox.deliver(5);
        assert_eq!(due.iter().map(|m| (m.from, m.text.as_str())).collect::<Vec<_>>(), [(0, "a"), (1, "b")]);
        assert!(mailbox.deliver(6).is_empty());
    }

    #[test]
    fn noise_and_delay_have_the_stated_frequencies() {
        let mut mailbox = Mailbox::new(&rules(0.2, 4));
        let text = "meet at the food";
        let (mut garbled, mut late) = (0, [0_u32; 6]);
        for round in 0..400 {
            for from in 0..10 {
                mailbox.post(round, from, text);
            }
            for message in mailbox.deliver(round + 1) {
                garbled += u32::from(message.text != text);
                late[(round - message.sent) as usize] += 1;
            }
        }
        // Binomial(4000, 0.2) has SD 25; a delay class Binomial(4000, 0.2) as well, less what is still waiting.
        assert!((675..=900).contains(&garbled), "{garbled}");
        assert!(late[..5].iter().all(|n| (650..=900).contains(n)) && late[5] == 0, "{late:?}");
    }
}
