//! Gomoku against a fixed opponent; claims are a move's reasons.

use serde_json::{Value, json};

use super::super::mind::Draws;
use super::super::problem::{Choice, Claim, Problem};
use super::{Decide, Episode, Side};
use crate::trajectory::score::Instance;
use crate::trajectory::score::gomoku::{Gomoku, SIDE, Stone};

/// Plies after which a game without a winner ends: the board is full.
const MAX_PLIES: usize = SIDE * SIDE;

/// A place worth a thought, with its score and how far it lengthens runs of both colours.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    row: usize,
    column: usize,
    score: f64,
    runs: usize,
}

struct Position {
    game: Gomoku,
    board: [[Stone; SIDE]; SIDE],
    places: Vec<Place>,
    best: f64,
}

impl Position {
    fn new(board: [[Stone; SIDE]; SIDE], player: Stone) -> Self {
        let game = Gomoku::new(board, player);
        let mut places = Vec::new();
        for row in 0..SIDE {
            for column in 0..SIDE {
                if board[row][column] == Stone::Empty && is_near(&board, row, column) {
                    let score = game.move_score(row as i64, column as i64);
                    let runs =
                        game.longest_run(row, column, player) + game.longest_run(row, column, player.other());
                    places.push(Place { row, column, score, runs });
                }
            }
        }
        let best = places.iter().map(|place| place.score).fold(0.0, f64::max);
        Self { game, board, places, best }
    }

    /// The best places: the highest score, then the longest runs.
    fn best_places(&self) -> Vec<Place> {
        let key = |place: &Place| (place.score as u64, place.runs);
        let top = self.places.iter().map(key).max();
        self.places.iter().filter(|place| Some(key(place)) == top).copied().collect()
    }
}

/// Whether a stone lies within one step; on the empty board, the centre counts.
fn is_near(board: &[[Stone; SIDE]; SIDE], row: usize, column: usize) -> bool {
    let range = |at: usize| at.saturating_sub(1)..=(at + 1).min(SIDE - 1);
    let stones = range(row).any(|r| range(column).any(|c| board[r][c] != Stone::Empty));
    stones || ((row, column) == (SIDE / 2, SIDE / 2) && board.iter().flatten().all(|&s| s == Stone::Empty))
}

/// A game; the method under test has black in every other one. Without a winner it scores 0, as a loss. A move that is not
/// legal is a move lost.
pub(super) fn play(episode: Episode, decide: &mut Decide<'_>) -> f64 {
    let own = if episode.index.is_multiple_of(2) { Stone::Black } else { Stone::White };
    let mut board = [[Stone::Empty; SIDE]; SIDE];
    let mut player = Stone::Black;
    for ply in 0..MAX_PLIES {
        let position = Position::new(board, player);
        if position.places.is_empty() {
            break;
        }
        let side = if player == own { Side::Own } else { Side::Opponent };
        let answer = decide(side, ply, &position);
        if let Ok((row, column)) = Gomoku::place(&answer)
            && position.game.at(row, column) == Some(Stone::Empty)
        {
            let (row, column) = (row as usize, column as usize);
            if position.game.longest_run(row, column, player) >= 5 {
                return if player == own { 100.0 } else { 0.0 };
            }
            board[row][column] = player;
        }
        player = player.other();
    }
    0.0
}

impl Problem for Position {
    fn instance(&self) -> Value {
        let rows: Vec<String> =
            self.board.iter().map(|row| row.iter().map(|stone| stone.letter()).collect()).collect();
        json!({"board": rows, "player": self.game.player().letter().to_string()})
    }

    /// One of the best places (skill), or any place beside a stone.
    fn propose(&self, draws: &Draws<'_>) -> Value {
        let mut stream = draws.part(0);
        let pool = if stream.uniform() < draws.mind.skill { self.best_places() } else { self.places.clone() };
        pool.get(stream.index(pool.len())).map_or(Value::Null, |place| json!([place.row, place.column]))
    }

    fn claims(&self, content: &Value) -> Vec<Claim> {
        let Ok((row, column)) = Gomoku::place(content) else { return Vec::new() };
        let score = self.game.move_score(row, column);
        let own = |colour: Stone| {
            let legal = self.game.at(row, column) == Some(Stone::Empty);
            if legal { self.game.longest_run(row as usize, column as usize, colour) } else { 0 }
        };
        let most = |colour: Stone| {
            self.places.iter().map(|p| self.game.longest_run(p.row, p.column, colour)).max().unwrap_or(0)
        };
        let player = self.game.player();
        let claim =
            |text: &str, good: bool| Claim { slot: 0, option: content.clone(), text: text.into(), good };
        vec![
            claim("no other move has a higher value", (score - self.best).abs() < 1e-9),
            claim("it makes my longest line", own(player) >= most(player)),
            claim("it stops the opponent's longest line", own(player.other()) >= most(player.other())),
            claim("it is worth at least half of the best", score * 2.0 >= self.best),
        ]
    }

    fn assemble(&self, choices: &[Choice]) -> Value {
        choices.first().map_or(Value::Null, |choice| choice.option.clone())
    }

    fn scoring(&self) -> &dyn Instance {
        &self.game
    }
}
