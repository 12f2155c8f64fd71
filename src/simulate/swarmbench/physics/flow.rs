//! Least deficit: the exact answer to "who can't be pushed", by one maximum flow.

/// A small flow network: a source with surpluses, a sink with needs, uncapped arcs between.
#[derive(Clone, Debug, Default)]
pub(super) struct Network {
    heads: Vec<u32>,
    room: Vec<i64>,
    arcs_of: Vec<Vec<u32>>,
    parent: Vec<u32>,
    queue: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Network {
    /// Empties the network and gives it `nodes` nodes.
    pub(super) fn reset(&mut self, nodes: usize) {
        self.heads.clear();
        self.room.clear();
        for arcs in &mut self.arcs_of {
            arcs.clear();
        }
        self.arcs_of.resize_with(nodes.max(self.arcs_of.len()), Vec::new);
        self.arcs_of.truncate(nodes);
    }

    /// Adds an arc with this much room.
    pub(super) fn arc(&mut self, from: usize, to: usize, room: i64) {
        for (tail, head, room) in [(from, to, room), (to, from, 0)] {
            self.arcs_of[tail].push(self.heads.len() as u32);
            self.heads.push(head as u32);
            self.room.push(room);
        }
    }

    /// Sends as much as possible, along shortest paths (Edmonds and Karp 1972).
    pub(super) fn saturate(&mut self, source: usize, sink: usize) {
        while self.find_path(source, sink) {
            let mut least = i64::MAX;
            self.along_path(source, sink, |network, arc| least = least.min(network.room[arc]));
            self.along_path(source, sink, |network, arc| {
                network.room[arc] -= least;
                network.room[arc ^ 1] += least;
            });
        }
    }

    fn find_path(&mut self, source: usize, sink: usize) -> bool {
        self.parent.clear();
        self.parent.resize(self.arcs_of.len(), NONE);
        self.queue.clear();
        self.queue.push(source as u32);
        let mut next = 0;
        while let Some(&node) = self.queue.get(next) {
            next += 1;
            for &arc in &self.arcs_of[node as usize] {
                let head = self.heads[arc as usize] as usize;
                if self.room[arc as usize] > 0 && head != source && self.parent[head] == NONE {
                    self.parent[head] = arc;
                    if head == sink {
                        return true;
                    }
                    self.queue.push(head as u32);
                }
            }
        }
        false
    }

    fn along_path(&mut self, source: usize, sink: usize, mut visit: impl FnMut(&mut Self, usize)) {
        let mut node = sink;
        while node != source {
            let arc = self.parent[node] as usize;
            visit(self, arc);
            node = self.heads[arc ^ 1] as usize;
        }
    }

    /// The nodes from which the sink could still be reached: the smallest sink side of a minimum cut.
    pub(super) fn sink_side(&mut self, sink: usize) -> Vec<bool> {
        let mut reaches = vec![false; self.arcs_of.len()];
        reaches[sink] = true;
        self.queue.clear();
        self.queue.push(sink as u32);
        while let Some(node) = self.queue.pop() {
            for &arc in &self.arcs_of[node as usize] {
                let tail = self.heads[arc as usize] as usize; // the twin arc leads from there to `node`
                if self.room[arc as usize ^ 1] > 0 && !reaches[tail] {
                    reaches[tail] = true;
                    self.queue.push(tail as u32);
                }
            }
        }
        reaches
    }
}
