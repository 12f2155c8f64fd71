//! Gomoku: own formation and the opponent's formation that the move takes away (table 6).

use serde::Deserialize;
use serde_json::Value;

use super::{BadInstance, Instance, Setting, Task, Unscored};
use crate::model::{Output, ProposalTask};

/// The registry row.
pub const TASK: Task = Task {
    task: ProposalTask::Gomoku,
    setting: Setting::Dynamic,
    formula: "min(100, 20 · (F + D)), F and D summed over four directions by table 6; an illegal move 0",
    max_formula: "the best legal move's score",
    source: "MASTraceBench, eq. 16 and table 6; five or more as five, cap at 100 ours",
    instance: |value| Ok(Box::new(Gomoku::from_value(value)?)),
};

/// Rows and columns of the board.
pub const SIDE: usize = 15;

/// What is on an intersection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stone {
    /// Nothing.
    #[default]
    Empty,
    /// A black stone.
    Black,
    /// A white stone.
    White,
}

impl Stone {
    /// The other player's colour.
    pub fn other(self) -> Self {
        match self {
            Self::Empty => Self::Empty,
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// The character in logs.
    pub fn letter(self) -> char {
        match self {
            Self::Empty => '.',
            Self::Black => 'B',
            Self::White => 'W',
        }
    }
}

/// Points of table 6 for one colour: a pattern's value by its number of open ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Points {
    /// Five or more in a row, one and two open ends.
    pub five: [u32; 2],
    /// Four in a row.
    pub four: [u32; 2],
    /// Three in a row.
    pub three: [u32; 2],
}

impl Points {
    /// Own stones: the "Self" column.
    pub const SELF: Self = Self { five: [5, 5], four: [2, 4], three: [2, 3] };
    /// The opponent's stones: the "Defense" column.
    pub const DEFENCE: Self = Self { five: [5, 2], four: [3, 4], three: [2, 3] };

    /// The points of a run of `length` stones with `open` open ends; 0 for shorter runs and without an open end.
    pub fn of(self, length: usize, open: usize) -> u32 {
        let Some(column) = open.checked_sub(1).filter(|&column| column < 2) else { return 0 };
        match length {
            0..=2 => 0,
            3 => self.three[column],
            4 => self.four[column],
            _ => self.five[column],
        }
    }
}

/// The four directions of a row, as changes of row and column.
const DIRECTIONS: [(isize, isize); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// A position with the player to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gomoku {
    board: [[Stone; SIDE]; SIDE],
    player: Stone,
}

#[derive(Deserialize)]
struct Logged {
    board: Vec<String>,
    player: String,
}

impl Gomoku {
    /// A position.
    pub fn new(board: [[Stone; SIDE]; SIDE], player: Stone) -> Self {
        Self { board, player }
    }

    /// Reads an instance.
    ///
    /// # Errors
    /// Where the board is not 15 strings of 15 of `.`, `B`, `W`, or the player not B or W.
    pub fn from_value(value: &Value) -> Result<Self, BadInstance> {
        let logged: Logged = super::read(value)?;
        let player = match logged.player.as_str() {
            "B" => Stone::Black,
            "W" => Stone::White,
            other => return Err(BadInstance(format!("player {other:?} is neither B nor W"))),
        };
        if logged.board.len() != SIDE {
            return Err(BadInstance(format!("board of {} rows, not {SIDE}", logged.board.len())));
        }
        let mut board = [[Stone::Empty; SIDE]; SIDE];
        for (row, text) in board.iter_mut().zip(&logged.board) {
            if text.len() != SIDE {
                return Err(BadInstance(format!("board row of {} bytes, not {SIDE}", text.len())));
            }
            for (cell, letter) in row.iter_mut().zip(text.bytes()) {
                *cell = match letter {
                    b'.' => Stone::Empty,
                    b'B' => Stone::Black,
                    b'W' => Stone::White,
                    _ => return Err(BadInstance("board character that is none of . B W".into())),
                };
            }
        }
        Ok(Self { board, player })
    }

    /// The player to move.
    pub fn player(&self) -> Stone {
        self.player
    }

    /// What is on an intersection; `None` off the board.
    pub fn at(&self, row: i64, column: i64) -> Option<Stone> {
        let (row, column) = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
        self.board.get(row)?.get(column).copied()
    }

    /// F (own colour) or D (the opponent's) of a stone of `colour` at the intersection: points summed over the directions.
    fn formation(&self, row: usize, column: usize, colour: Stone, points: Points) -> u32 {
        let mut sum = 0;
        for (down, right) in DIRECTIONS {
            let mut length = 1;
            let mut open = 0;
            for sign in [1, -1] {
                let (mut r, mut c) = (row as isize, column as isize);
                loop {
                    (r, c) = (r + sign * down, c + sign * right);
                    match self.at(r as i64, c as i64) {
                        Some(stone) if stone == colour => length += 1,
                        Some(Stone::Empty) => {
                            open += 1;
                            break;
                        }
                        _ => break,
                    }
                }
            }
            sum += points.of(length, open);
        }
        sum
    }

    /// The length of the longest run through the intersection for `colour`, were its stone there: 5 or more wins.
    pub fn longest_run(&self, row: usize, column: usize, colour: Stone) -> usize {
        let run = |(down, right): (isize, isize)| {
            let arm = |sign: isize| {
                (1..SIDE as isize)
                    .take_while(|&k| {
                        let (r, c) = (row as isize + sign * k * down, column as isize + sign * k * right);
                        self.at(r as i64, c as i64) == Some(colour)
                    })
                    .count()
            };
            1 + arm(1) + arm(-1)
        };
        DIRECTIONS.into_iter().map(run).max().unwrap_or(1)
    }

    /// The score of a move, on 0–100: `min(100, 20·(F + D))`, 0 for an illegal one. MASTraceBench, eq. 16.
    pub fn move_score(&self, row: i64, column: i64) -> f64 {
        if self.at(row, column) != Some(Stone::Empty) {
            return 0.0;
        }
        let (row, column) = (row as usize, column as usize);
        let own = self.formation(row, column, self.player, Points::SELF);
        let denied = self.formation(row, column, self.player.other(), Points::DEFENCE);
        f64::from((20 * (own + denied)).min(100))
    }

    /// The row and column of a content.
    ///
    /// # Errors
    /// [`Unscored::Malformed`] where the content is no pair of whole numbers.
    pub fn place(content: &Value) -> Result<(i64, i64), Unscored> {
        match content.as_array().map(Vec::as_slice) {
            Some([row, column]) => row.as_i64().zip(column.as_i64()),
            _ => None,
        }
        .ok_or(Unscored::Malformed("a move is [row, column]"))
    }
}

impl Instance for Gomoku {
    fn score(&self, output: &Output) -> Result<f64, Unscored> {
        let content = output.content.as_ref().ok_or(Unscored::Malformed("no content"))?;
        let (row, column) = Self::place(content)?;
        Ok(self.move_score(row, column))
    }

    fn max_score(&self) -> Option<f64> {
        let side = SIDE as i64;
        let cells = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
        cells
            .filter(|&(row, column)| self.at(row, column) == Some(Stone::Empty))
            .map(|(row, column)| self.move_score(row, column))
            .reduce(f64::max)
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these scores are whole numbers, exact in f64")]
mod tests {
    use super::*;

    /// A board with stones of a colour in row 7 at these columns.
    fn row_seven(colour: Stone, columns: &[usize], blocks: &[(usize, Stone)]) -> Gomoku {
        let mut board = [[Stone::Empty; SIDE]; SIDE];
        for &column in columns {
            board[7][column] = colour;
        }
        for &(column, stone) in blocks {
            board[7][column] = stone;
        }
        Gomoku::new(board, Stone::Black)
    }

    #[test]
    fn table_6_cell_by_cell() {
        use Stone::{Black, White};
        // Black to move at column 7; own or enemy stones to its left; the left end open or closed by the other colour.
        // (stones beside the move, points with two open ends, points with one), in points of 20.
        let own = [(4, 5.0, 5.0), (3, 4.0, 2.0), (2, 3.0, 2.0), (1, 0.0, 0.0)];
        let denied = [(4, 2.0, 5.0), (3, 4.0, 3.0), (2, 3.0, 2.0), (1, 0.0, 0.0)];
        for (table, colour, blocker) in [(own, Black, White), (denied, White, Black)] {
            for (stones, two, one) in table {
                let columns: Vec<usize> = (7 - stones..7).collect();
                let end = 7 - stones - 1;
                let open = row_seven(colour, &columns, &[]);
                assert_eq!(open.move_score(7, 7), 20.0 * two, "{colour:?} {stones} beside, two ends");
                let half = row_seven(colour, &columns, &[(end, blocker)]);
                assert_eq!(half.move_score(7, 7), 20.0 * one, "{colour:?} {stones} beside, one end");
                let closed = row_seven(colour, &columns, &[(end, blocker), (8, blocker)]);
                assert_eq!(closed.move_score(7, 7), 0.0, "{colour:?} {stones} beside, no end");
            }
        }
    }

    #[test]
    fn board_edges_close_and_more_than_five_is_five() {
        let edge = row_seven(Stone::Black, &[13, 14], &[]); // the move at 12 makes three against the edge
        assert_eq!(edge.move_score(7, 12), 40.0);
        let six = row_seven(Stone::Black, &[4, 5, 6, 8, 9], &[]);
        assert_eq!(six.move_score(7, 7), 100.0);
        assert_eq!(six.longest_run(7, 7, Stone::Black), 6);
    }

    #[test]
    fn patterns_add_up_and_are_capped() {
        let mut board = [[Stone::Empty; SIDE]; SIDE];
        for k in 1..=2 {
            board[7][7 - k] = Stone::Black; // open three across: 3
            board[7 - k][7] = Stone::White; // open three of the opponent down: 3
        }
        let position = Gomoku::new(board, Stone::Black);
        assert_eq!(position.move_score(7, 7), 100.0); // 20 · 6 = 120, capped
        board[7][4] = Stone::White; // own three now half open: 2 + 3
        board[4][7] = Stone::Black; // the opponent's too: 2 + 2
        assert_eq!(Gomoku::new(board, Stone::Black).move_score(7, 7), 80.0);
    }

    #[test]
    fn illegal_moves_score_zero_and_the_best_is_found() {
        let position = row_seven(Stone::Black, &[3, 4, 5], &[(2, Stone::White)]);
        assert_eq!(position.move_score(7, 3), 0.0);
        assert_eq!(position.move_score(-1, 3), 0.0);
        assert_eq!(position.move_score(7, 15), 0.0);
        assert_eq!(position.max_score(), Some(40.0)); // four with one open end
        let full = Gomoku::new([[Stone::White; SIDE]; SIDE], Stone::Black);
        assert_eq!(full.max_score(), None);
        assert_eq!(Gomoku::new([[Stone::Empty; SIDE]; SIDE], Stone::Black).max_score(), Some(0.0));
    }
}
