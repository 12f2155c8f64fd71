//! Who talks to whom: the directed graph of an episode's messages.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::{AgentIx, Episode};

/// The message graph of one episode: nodes are the listed agents, an arc `u → v` stands for the messages from `u` to `v`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageGraph {
    agents: usize,
    /// Messages sent, by agent.
    pub sent: Vec<u64>,
    /// Messages received, by agent.
    pub received: Vec<u64>,
    /// Messages by arc; a message to three agents is on three arcs.
    pub arcs: BTreeMap<(AgentIx, AgentIx), u64>,
}

/// Measures of a [`MessageGraph`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphMeasures {
    /// Mean number of distinct receivers per agent (equal to the mean number of distinct senders): arcs / agents. Range
    /// [0, n − 1]; undefined without agents.
    pub mean_degree: Option<f64>,
    /// Largest number of distinct receivers of an agent.
    pub max_out_degree: Option<u64>,
    /// Largest number of distinct senders to an agent.
    pub max_in_degree: Option<u64>,
    /// Share of arcs whose opposite is there too, in [0, 1] (Wasserman & Faust 1994, section 13.3); undefined without arcs.
    pub reciprocity: Option<f64>,
    /// Weakly connected components; an agent without messages is one. Undefined without agents.
    pub components: Option<u64>,
    /// Share of agents that sent no message, in [0, 1]; undefined without agents.
    pub silent_share: Option<f64>,
}

impl MessageGraph {
    /// The graph of an episode. Senders and receivers that are not listed as agents are left out, and so are messages of an
    /// agent to itself (they count as sent).
    pub fn of(episode: &Episode) -> Self {
        let agents = episode.listed;
        let mut graph =
            Self { agents, sent: vec![0; agents], received: vec![0; agents], arcs: BTreeMap::new() };
        for message in &episode.messages {
            let from = message.from;
            let Some(sent) = graph.sent.get_mut(from.ix()) else { continue };
            *sent += 1;
            for &to in episode.receivers(message) {
                if to == from {
                    continue;
                }
                let Some(received) = graph.received.get_mut(to.ix()) else { continue };
                *received += 1;
                *graph.arcs.entry((from, to)).or_default() += 1;
            }
        }
        graph
    }

    /// Distinct receivers of each agent.
    pub fn out_degrees(&self) -> Vec<u64> {
        self.degrees(|&(from, _)| from)
    }

    /// Distinct senders to each agent.
    pub fn in_degrees(&self) -> Vec<u64> {
        self.degrees(|&(_, to)| to)
    }

    fn degrees(&self, end: impl Fn(&(AgentIx, AgentIx)) -> AgentIx) -> Vec<u64> {
        let mut degrees = vec![0; self.agents];
        for arc in self.arcs.keys() {
            degrees[end(arc).ix()] += 1;
        }
        degrees
    }

    /// The graph's measures.
    pub fn measures(&self) -> GraphMeasures {
        if self.agents == 0 {
            return GraphMeasures::default();
        }
        let agents = self.agents as f64;
        let arcs = self.arcs.len() as f64;
        let mutual = self.arcs.keys().filter(|&&(from, to)| self.arcs.contains_key(&(to, from))).count();
        GraphMeasures {
            mean_degree: Some(arcs / agents),
            max_out_degree: self.out_degrees().into_iter().max(),
            max_in_degree: self.in_degrees().into_iter().max(),
            reciprocity: (!self.arcs.is_empty()).then(|| mutual as f64 / arcs),
            components: Some(self.components()),
            silent_share: Some(self.sent.iter().filter(|&&sent| sent == 0).count() as f64 / agents),
        }
    }

    fn components(&self) -> u64 {
        let mut root: Vec<usize> = (0..self.agents).collect();
        let find = |root: &mut Vec<usize>, mut node: usize| {
            while root[node] != node {
                root[node] = root[root[node]];
                node = root[node];
            }
            node
        };
        let mut components = self.agents as u64;
        for (from, to) in self.arcs.keys() {
            let (a, b) = (find(&mut root, from.ix()), find(&mut root, to.ix()));
            if a != b {
                root[a.max(b)] = a.min(b);
                components -= 1;
            }
        }
        components
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(agents: usize, arcs: &[(u32, u32, u64)], sent: &[u64]) -> MessageGraph {
        let arcs = arcs.iter().map(|&(from, to, n)| ((AgentIx(from), AgentIx(to)), n)).collect();
        MessageGraph { agents, sent: sent.to_vec(), received: vec![0; agents], arcs }
    }

    #[test]
    fn measures_by_hand() {
        // 0 ⇄ 1, 1 → 2, and 3 alone: three arcs of which two are mutual.
        let measures = graph(4, &[(0, 1, 5), (1, 0, 1), (1, 2, 2)], &[5, 3, 0, 0]).measures();
        assert_eq!(measures.mean_degree, Some(0.75));
        assert_eq!(measures.max_out_degree, Some(2));
        assert_eq!(measures.max_in_degree, Some(1));
        assert_eq!(measures.reciprocity, Some(2.0 / 3.0));
        assert_eq!(measures.components, Some(2));
        assert_eq!(measures.silent_share, Some(0.5));
    }

    #[test]
    fn without_messages_only_reciprocity_is_undefined() {
        let measures = graph(3, &[], &[0, 0, 0]).measures();
        assert_eq!((measures.reciprocity, measures.components), (None, Some(3)));
        assert_eq!(measures.silent_share, Some(1.0));
        assert_eq!(graph(0, &[], &[]).measures(), GraphMeasures::default());
    }
}
