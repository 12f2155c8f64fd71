//! The grid and what lies on it: which object occupies which cell.
//!
//! The owner table has a margin as wide as the largest movable object, so that an object which hangs over the edge
//! keeps all its cells in the table; an object wholly outside is taken out.

use crate::model::{Cell, Direction};

/// Dense number of an object: agents come first, `0..agents`.
pub type MeshId = u32;

/// Marks a cell that nothing occupies.
pub const FREE: MeshId = MeshId::MAX;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An agent.
    Agent,
    /// The border or an inner wall.
    Wall,
    /// The prey of Pursuit.
    Prey,
    /// The food of Foraging.
    Food,
    /// The nest of Foraging.
    Nest,
    /// The box of Transport.
    Box,
}

impl Kind {
    /// The letter of the logged grid; agents have two, see [`super::World::letter`].
    pub fn letter(self) -> u8 {
        match self {
            Self::Agent => b'A',
            Self::Wall => b'W',
            Self::Prey => b'P',
            Self::Food => b'F',
            Self::Nest => b'N',
            Self::Box => b'B',
        }
    }
}

/// An object: cells relative to an origin, which may lie outside the grid.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// What it is.
    pub kind: Kind,
    /// Its origin.
    pub at: Cell,
    /// Its cells, relative to the origin.
    pub shape: Box<[Cell]>,
    /// The same cells as steps in the owner table, from the first one.
    steps: Box<[i32]>,
    /// The first cell's index in the owner table; stale once the object is gone.
    spot: u32,
    /// Whether nothing can move it.
    pub fixed: bool,
    /// What a force has to overcome.
    pub mass: i32,
    /// Whether at least one cell is inside; without, physics does not know it.
    pub present: bool,
}

/// ⌊√cells⌋, the mass of an object of that many cells.
pub(super) fn mass_of(cells: usize) -> i32 {
    cells.isqrt() as i32
}

/// Grid, objects and owner table.
#[derive(Clone, Debug)]
pub struct Board {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    margin: i32,
    stride: i32,
    owner: Vec<MeshId>,
    meshes: Vec<Mesh>,
}

impl Board {
    /// An empty grid for movable objects of at most `extent` cells in either direction.
    pub fn new(width: u32, height: u32, extent: u32) -> Self {
        let margin = extent.max(1) as i32;
        let stride = width as i32 + 2 * margin;
        let rows = height as i32 + 2 * margin;
        let owner = vec![FREE; (stride * rows) as usize];
        Self { width, height, margin, stride, owner, meshes: Vec::new() }
    }

    /// Index of a cell in the owner table; only for cells at most the margin outside.
    fn spot(&self, cell: Cell) -> u32 {
        ((cell.y + self.margin) * self.stride + cell.x + self.margin) as u32
    }

    /// Whether a cell is inside the grid.
    pub fn inside(&self, cell: Cell) -> bool {
        cell.inside(self.width, self.height)
    }

    /// The object at a cell; [`FREE`] if there is none, and for cells outside.
    pub fn owner(&self, cell: Cell) -> MeshId {
        if self.inside(cell) { self.owner[self.spot(cell) as usize] } else { FREE }
    }

    /// Whether a cell is inside and empty.
    pub fn is_free(&self, cell: Cell) -> bool {
        self.inside(cell) && self.owner[self.spot(cell) as usize] == FREE
    }

    /// The owners of columns `left..=right` of a row; the range must be inside and not empty.
    pub(super) fn row(&self, y: i32, left: i32, right: i32) -> &[MeshId] {
        &self.owner[self.spot(Cell::new(left, y)) as usize..=self.spot(Cell::new(right, y)) as usize]
    }

    /// An object.
    pub fn mesh(&self, id: MeshId) -> &Mesh {
        &self.meshes[id as usize]
    }

    /// All objects, agents first.
    pub fn meshes(&self) -> &[Mesh] {
        &self.meshes
    }

    /// What occupies a cell.
    pub fn kind_at(&self, cell: Cell) -> Option<Kind> {
        match self.owner(cell) {
            FREE => None,
            id => Some(self.mesh(id).kind),
        }
    }

    /// Adds an object without putting it on the grid.
    pub fn add(&mut self, kind: Kind, shape: Vec<Cell>, fixed: bool, mass: i32) -> MeshId {
        let id = self.meshes.len() as MeshId;
        let first = shape.first().copied().unwrap_or_default();
        let steps = shape.iter().map(|cell| (cell.y - first.y) * self.stride + cell.x - first.x).collect();
        self.meshes.push(Mesh {
            kind,
            at: Cell::new(0, 0),
            shape: shape.into(),
            steps,
            spot: 0,
            fixed,
            mass,
            present: false,
        });
        id
    }

    /// Puts an object that is not on the grid at an origin.
    pub fn put(&mut self, id: MeshId, at: Cell) {
        let first = self.mesh(id).shape.first().copied().unwrap_or_default();
        let spot = self.spot(at.offset(first.x, first.y));
        let mesh = &mut self.meshes[id as usize];
        mesh.at = at;
        mesh.spot = spot;
        mesh.present = true;
        for step in &mesh.steps {
            self.owner[spot.wrapping_add_signed(*step) as usize] = id;
        }
    }

    /// Takes an object off the grid; it keeps its last origin.
    pub fn take_off(&mut self, id: MeshId) {
        let mesh = &mut self.meshes[id as usize];
        if mesh.present {
            mesh.present = false;
            for step in &mesh.steps {
                self.owner[mesh.spot.wrapping_add_signed(*step) as usize] = FREE;
            }
        }
    }

    /// Makes an object immovable.
    pub fn fix(&mut self, id: MeshId) {
        self.meshes[id as usize].fixed = true;
    }

    /// A step in the owner table.
    pub(super) fn step(&self, direction: Direction) -> i32 {
        let (dx, dy) = direction.vector();
        dy * self.stride + dx
    }

    /// The object one `step` from an object of a single cell.
    pub(super) fn beside(&self, id: MeshId, step: i32) -> MeshId {
        self.owner[self.meshes[id as usize].spot.wrapping_add_signed(step) as usize]
    }

    /// The objects straight ahead of an object, each as often as it has cells there; itself left out.
    pub(super) fn ahead(&self, id: MeshId, step: i32) -> impl Iterator<Item = MeshId> + '_ {
        let mesh = &self.meshes[id as usize];
        mesh.steps
            .iter()
            .map(move |own| self.owner[mesh.spot.wrapping_add_signed(own + step) as usize])
            .filter(move |&other| other != FREE && other != id)
    }

    /// Moves objects one cell, all at the same moment; those then wholly outside are gone.
    pub(super) fn shift(&mut self, movers: &[MeshId], direction: Direction) {
        let step = self.step(direction);
        let (dx, dy) = direction.vector();
        for &id in movers {
            let mesh = &self.meshes[id as usize];
            for own in &mesh.steps {
                self.owner[mesh.spot.wrapping_add_signed(*own) as usize] = FREE;
            }
        }
        for &id in movers {
            let mesh = &mut self.meshes[id as usize];
            mesh.at = Cell::new(mesh.at.x + dx, mesh.at.y + dy);
            mesh.spot = mesh.spot.wrapping_add_signed(step);
            let (width, height, at) = (self.width, self.height, mesh.at);
            if mesh.shape.iter().any(|cell| at.offset(cell.x, cell.y).inside(width, height)) {
                for own in &mesh.steps {
                    self.owner[mesh.spot.wrapping_add_signed(*own) as usize] = id;
                }
            } else {
                mesh.present = false;
            }
        }
    }

    /// The border of the grid.
    pub fn border(width: u32, height: u32) -> Vec<Cell> {
        let (width, height) = (width as i32, height as i32);
        (0..height)
            .flat_map(|y| (0..width).map(move |x| Cell::new(x, y)))
            .filter(|cell| cell.x == 0 || cell.y == 0 || cell.x == width - 1 || cell.y == height - 1)
            .collect()
    }
}
