//! The exact largest movable set, for objects of any shape.
//!
//! Nodes are the strongly connected components of the graph "u → v: v occupies a cell straight ahead of u"; each has
//! the sum of its objects' masses and forces. A set S of nodes can move if
//!
//! 1. everything ahead of a node of S is in S and nothing in S is fixed;
//! 2. a flow along the edges within S exists in which every node receives, with its own force, at least its mass and
//!    hands on at most what it has beyond: out ≤ in + force − mass.
//!
//! *There are no ties.* By Gale's theorem (1957), 2. means that Σ(force − mass) ≥ 0 over every T ⊆ S that nothing in S∖T
//! pushes into. If S₁ and S₂ can move, take such a T within S₁ ∪ S₂: T∖S₂ and T ∩ S₂ are sets of that kind within S₁
//! and S₂ (what is in S₂ can't push into T∖S₂, because everything ahead of S₂ is in S₂), so both sums are ≥ 0, and the
//! union can move. The largest set is therefore unique, and the stated tie rule is never needed.
//!
//! *One flow finds it.* Among the nodes that don't lead to a fixed one, let T be the smallest set that nothing outside
//! it pushes into and that has the least Σ(force − mass). No node of T can move: a movable set S would have
//! Σ(T ∩ S) ≥ 0, so T∖S would do as well and be smaller. All nodes outside T can. T is the smallest sink side of a
//! minimum cut (Picard 1976, "Maximal closure of a graph"). A test compares this with trying all subsets.

use super::flow::Network;
use crate::simulate::swarmbench::board::{Board, FREE, MeshId};

/// Work space, kept from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    /// Local number per object, valid where `members` agrees.
    local: Vec<u32>,
    members: Vec<MeshId>,
    network: Network,
}

/// Finds who moves along `step` when the objects in `pushers` and whatever they lead to are considered; appends
/// them to `movers`. `force` gives an object's own force along the direction.
pub(super) fn settle(
    board: &Board,
    step: i32,
    pushers: &[MeshId],
    force: impl Fn(MeshId) -> i32,
    space: &mut Workspace,
    movers: &mut Vec<MeshId>,
) {
    // An object that no pusher leads to has no force from anywhere and stays.
    space.local.resize(board.meshes().len(), FREE);
    space.members.clear();
    let mut edges: Vec<Vec<usize>> = Vec::new();
    for &pusher in pushers {
        space.join(pusher);
    }
    let mut next = 0;
    while next < space.members.len() {
        let id = space.members[next];
        next += 1;
        let mut out = Vec::new();
        if !board.mesh(id).fixed {
            for other in board.ahead(id, step) {
                let place = space.join(other);
                if !out.contains(&place) {
                    out.push(place);
                }
            }
        }
        edges.push(out);
    }
    let nodes: Vec<Node> = space
        .members
        .iter()
        .map(|&id| {
            let mesh = board.mesh(id);
            Node { mass: i64::from(mesh.mass), force: i64::from(force(id)), fixed: mesh.fixed }
        })
        .collect();
    let moves = largest_movable(&nodes, &edges, &mut space.network);
    movers.extend(space.members.iter().zip(moves).filter(|(_, moves)| *moves).map(|(id, _)| *id));
    for id in &space.members {
        space.local[*id as usize] = FREE;
    }
}

impl Workspace {
    /// The local number of an object, given on first sight.
    fn join(&mut self, id: MeshId) -> usize {
        let place = &mut self.local[id as usize];
        if *place == FREE {
            *place = self.members.len() as u32;
            self.members.push(id);
        }
        *place as usize
    }
}

/// An object, or a strongly connected component of them, as the force balance sees it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// Total mass.
    pub mass: i64,
    /// Total force along the direction.
    pub force: i64,
    /// Whether a part of it can't be moved.
    pub fixed: bool,
}

/// For each node, whether it is in the largest movable set; `edges[u]` are the nodes straight ahead of `u`.
fn largest_movable(nodes: &[Node], edges: &[Vec<usize>], network: &mut Network) -> Vec<bool> {
    let component = components(edges);
    let count = component.iter().max().map_or(0, |last| last + 1);
    let mut merged = vec![Node::default(); count];
    let mut ahead: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (node, &home) in component.iter().enumerate() {
        merged[home].mass += nodes[node].mass;
        merged[home].force += nodes[node].force;
        merged[home].fixed |= nodes[node].fixed;
        for &next in &edges[node] {
            let other = component[next];
            if other != home && !ahead[home].contains(&other) {
                ahead[home].push(other);
            }
        }
    }
    // Components are numbered front first, so that whatever lies ahead has its verdict already.
    let mut shut: Vec<bool> = Vec::with_capacity(count);
    for home in 0..count {
        shut.push(merged[home].fixed || ahead[home].iter().any(|&other| shut[other]));
    }
    let (source, sink) = (count, count + 1);
    network.reset(count + 2);
    for home in (0..count).filter(|&home| !shut[home]) {
        let balance = merged[home].force - merged[home].mass;
        match balance {
            1.. => network.arc(source, home, balance),
            0 => {}
            _ => network.arc(home, sink, -balance),
        }
        for &other in &ahead[home] {
            network.arc(home, other, i64::MAX / 4);
        }
    }
    network.saturate(source, sink);
    let lacks_force = network.sink_side(sink);
    component.iter().map(|&home| !shut[home] && !lacks_force[home]).collect()
}

/// Strongly connected components (Tarjan 1972, with an explicit stack); the numbers run from the front: an edge between
/// components leads from the higher to the lower number.
fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut index = vec![UNSEEN; edges.len()];
    let mut low = vec![0; edges.len()];
    let mut home = vec![UNSEEN; edges.len()];
    let (mut counter, mut found) = (0, 0);
    let mut open = Vec::new();
    let mut calls: Vec<(usize, usize)> = Vec::new();
    for root in 0..edges.len() {
        if index[root] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, edge)) = calls.pop() {
            if edge == 0 {
                index[node] = counter;
                low[node] = counter;
                counter += 1;
                open.push(node);
            }
            if let Some(&next) = edges[node].get(edge) {
                calls.push((node, edge + 1));
                if index[next] == UNSEEN {
                    calls.push((next, 0));
                } else if home[next] == UNSEEN {
                    low[node] = low[node].min(index[next]);
                }
                continue;
            }
            if low[node] == index[node] {
                while let Some(member) = open.pop() {
                    home[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
            if let Some(&(caller, _)) = calls.last() {
                low[caller] = low[caller].min(low[node]);
            }
        }
    }
    home
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::rng::Stream;

    /// Whether a set of components can move, by Gale's condition over all subsets.
    fn can_move(set: u32, nodes: &[Node], edges: &[Vec<usize>]) -> bool {
        let has = |set: u32, node: usize| set >> node & 1 == 1;
        let all = 0..nodes.len();
        let closed = all
            .clone()
            .filter(|&u| has(set, u))
            .all(|u| !nodes[u].fixed && edges[u].iter().all(|&v| has(set, v)));
        closed
            && (1..1u32 << nodes.len()).filter(|part| part & !set == 0).all(|part| {
                let pushed_into =
                    all.clone().any(|u| has(set & !part, u) && edges[u].iter().any(|&v| has(part, v)));
                pushed_into
                    || all
                        .clone()
                        .filter(|&u| has(part, u))
                        .map(|u| nodes[u].force - nodes[u].mass)
                        .sum::<i64>()
                        >= 0
            })
    }

    #[test]
    fn agrees_with_trying_all_subsets_and_is_unique() {
        let mut stream = Stream::new(5, "contested/subsets");
        let mut network = Network::default();
        let mut sizes = [0u32; 10];
        for _ in 0..1500 {
            let count = 1 + stream.index(9);
            let nodes: Vec<Node> = (0..count)
                .map(|_| Node {
                    mass: 1 + stream.below(3) as i64,
                    force: [-2, 0, 2, 2, 4, 4][stream.index(6)],
                    fixed: stream.below(12) == 0,
                })
                .collect();
            // Edges to lower numbers only: each node is its own component.
            let edges: Vec<Vec<usize>> =
                (0..count).map(|u| (0..u).filter(|_| stream.below(4) == 0).collect()).collect();
            let movable: Vec<u32> = (0..1u32 << count).filter(|&set| can_move(set, &nodes, &edges)).collect();
            let most = movable.iter().map(|set| set.count_ones()).max().unwrap();
            let best: Vec<&u32> = movable.iter().filter(|set| set.count_ones() == most).collect();
            assert_eq!(best.len(), 1, "{nodes:?} {edges:?}");
            let found = largest_movable(&nodes, &edges, &mut network);
            let found = found.iter().enumerate().map(|(u, &moves)| u32::from(moves) << u).sum::<u32>();
            assert_eq!(found, *best[0], "{nodes:?} {edges:?}");
            sizes[most as usize] += 1;
        }
        assert!(sizes[1..7].iter().all(|&n| n > 5), "too little variety: {sizes:?}");
    }

    #[test]
    fn rings_are_one_component() {
        // 0 → 1 → 2 → 0, 3 → 0, 2 → 4
        let home = components(&[vec![1], vec![2], vec![0, 4], vec![0], vec![]]);
        assert_eq!(home[0], home[1]);
        assert_eq!(home[1], home[2]);
        assert!(home[4] < home[0] && home[0] < home[3]);
    }

    #[test]
    fn a_ring_moves_with_the_sum_of_its_forces() {
        let node = |mass, force| Node { mass, force, fixed: false };
        let mut network = Network::default();
        let ring = [vec![1], vec![0]];
        assert_eq!(largest_movable(&[node(3, 0), node(1, 4)], &ring, &mut network), [true, true]);
        assert_eq!(largest_movable(&[node(4, 0), node(1, 4)], &ring, &mut network), [false, false]);
    }
}
