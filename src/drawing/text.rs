//! Boards, positions and the legs of pods, drawn as text that a person reads at a glance.
//!
//! A step of the grid takes four columns and two lines, so that letters, marks and lines keep
//! apart. Drawings have no trailing blanks and end with a line feed.

use std::fmt::Write as _;

use super::words::{letter, plain};
use crate::geometry::{Coord, Direction, Point};
use crate::material::{Board, PodKind, PodSet, Reach, Side};
use crate::position::{Game, Position};

/// The characters that a drawing is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// Box-drawing lines, geometric shapes and arrows.
    #[default]
    Unicode,
    /// Nothing but ASCII.
    Ascii,
}

/// Lines, marks and legs of one style. Marks are no letters: letters are pods.
struct Glyphs {
    level: char,
    upright: char,
    rising: char,
    falling: char,
    crossing: char,
    free: char,
    /// An attacked point: by White, by Black, by both.
    attacked: [char; 3],
    /// Legs, clockwise from north.
    short: [char; 8],
    long: [char; 8],
    times: char,
}

const UNICODE: Glyphs = Glyphs {
    level: '─',
    upright: '│',
    rising: '╱',
    falling: '╲',
    crossing: '╳',
    free: '○',
    attacked: ['△', '▽', '◇'],
    short: ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖'],
    long: ['⇑', '⇗', '⇒', '⇘', '⇓', '⇙', '⇐', '⇖'],
    times: '×',
};

const ASCII: Glyphs = Glyphs {
    level: '-',
    upright: '|',
    rising: '/',
    falling: '\\',
    crossing: 'X',
    free: '.',
    attacked: ['^', '!', '#'],
    short: ['|', '/', '-', '\\', '|', '/', '-', '\\'],
    long: ['*'; 8],
    times: 'x',
};

impl Style {
    const fn glyphs(self) -> &'static Glyphs {
        match self {
            Style::Unicode => &UNICODE,
            Style::Ascii => &ASCII,
        }
    }
}

/// Columns and lines from a point to the next one.
const STEP: (usize, usize) = (4, 2);

/// Columns that a drawing of legs fills at most, unless a single pod needs more.
const WIDTH: usize = 96;

/// Returns the board's points and lines, with coordinates on the margins; no title.
#[must_use]
pub fn board(board: &Board, style: Style) -> String {
    let free = style.glyphs().free;
    draw(board, style, |_| (free, None))
}

/// Returns the position: the board with its pods, upper-case White's and lower-case Black's,
/// between the two hands; no title.
///
/// `attacks` are the points that the legs of a side's pods reach (R6), in any order. They are
/// marked on empty points and on pods of the other side; an attack on a friend means nothing and is
/// left out.
#[must_use]
pub fn position(game: &Game, position: &Position, attacks: &[(Point, Side)], style: Style) -> String {
    let glyphs = style.glyphs();
    let grid = draw(game.board(), style, |point| {
        let pod = position.pod(point);
        let by = |side| pod.is_none_or(|pod| pod.side != side) && attacks.contains(&(point, side));
        let mark = match (by(Side::White), by(Side::Black)) {
            (false, false) => None,
            (true, false) => Some(glyphs.attacked[0]),
            (false, true) => Some(glyphs.attacked[1]),
            (true, true) => Some(glyphs.attacked[2]),
        };
        match pod {
            None => (mark.unwrap_or(glyphs.free), None),
            Some(pod) => (letter(game.pods(), pod.kind, pod.side), mark),
        }
    });
    let hand = |side: Side| {
        let hand = position.hand(side);
        let mut line = format!("{side}'s hand: ");
        line.push_str(&if hand.is_empty() { "empty".to_owned() } else { hand.display(game.pods()).to_string() });
        if position.to_move() == side {
            line.push_str(if position.is_open() { "   to move, to open with a bipod" } else { "   to move" });
        }
        line
    };
    format!("{}\n\n{grid}\n{}\n", hand(Side::Black), hand(Side::White))
}

/// Returns the legend of a position's drawing: its letters and marks.
#[must_use]
pub(crate) fn position_legend(style: Style) -> String {
    let Glyphs { free, attacked: [white, black, both], .. } = style.glyphs();
    format!(
        "{free} empty   {white} attacked by White   {black} by Black   {both} by both\n\
         B White's pod   b Black's pod   B{black} b{white} attacked pods\n"
    )
}

/// Returns the legend of legs, on one line.
#[must_use]
pub(crate) fn legs_legend(style: Style) -> String {
    match style {
        Style::Unicode => "→ short leg   ⇒ long leg\n".to_owned(),
        Style::Ascii => "- | / \\ short leg   * long leg\n".to_owned(),
    }
}

/// Returns the legs of pods as they lie on the board when `side` owns them (R4), each pod a rose of
/// three lines with its letter in the middle. A `×3` to the right of it says that the set has three
/// of the pod for each player.
///
/// With `names`, the name of each pod stands under its rose.
#[must_use]
pub fn legs(pods: &PodSet, side: Side, kinds: impl IntoIterator<Item = PodKind>, names: bool, style: Style) -> String {
    let glyphs = style.glyphs();
    let roses: Vec<Vec<String>> = kinds
        .into_iter()
        .map(|kind| {
            let (spec, legs) = (pods.spec(kind), pods.legs(kind).on_board(side));
            let leg = |direction: Direction| match legs.toward(direction).map(|leg| leg.reach) {
                None => ' ',
                Some(Reach::Short) => glyphs.short[direction.index()],
                Some(Reach::Long) => glyphs.long[direction.index()],
            };
            use Direction::{E, N, Ne, Nw, S, Se, Sw, W};
            let mut rose = vec![
                format!("{} {} {}", leg(Nw), leg(N), leg(Ne)),
                format!("{} {} {}", leg(W), letter(pods, kind, side), leg(E)),
                format!("{} {} {}", leg(Sw), leg(S), leg(Se)),
            ];
            if spec.count > 1 {
                let _ = write!(rose[1], " {}{}", glyphs.times, spec.count);
            }
            if names {
                rose.push(plain(&spec.name));
            }
            rose
        })
        .collect();
    let width = |line: &String| line.chars().count();
    let cell = roses.iter().flatten().map(width).max().unwrap_or(0) + 3;
    let mut text = String::new();
    for (i, row) in roses.chunks((WIDTH / cell).max(1)).enumerate() {
        if i > 0 {
            text.push('\n');
        }
        for line in 0..row[0].len() {
            let cells: String = row.iter().map(|rose| format!("{:cell$}", rose[line])).collect();
            text.push_str(cells.trim_end());
            text.push('\n');
        }
    }
    text
}

/// Returns the board's name, orientation and source: what is printed wherever a board is shown.
#[must_use]
pub(crate) fn board_title(board: &Board) -> String {
    format!("board {}, orientation {}\n  {}\n", plain(board.name()), board.orientation(), plain(board.source()))
}

/// Returns the pod set's name and source: what is printed wherever pods are shown.
#[must_use]
pub(crate) fn pods_title(pods: &PodSet) -> String {
    format!("pods {}\n  {}\n", plain(pods.name()), plain(pods.source()))
}

/// Draws the lines, each point as `at` says (its character, and a mark to the right of it), and the
/// coordinates.
fn draw(board: &Board, style: Style, at: impl Fn(Point) -> (char, Option<char>)) -> String {
    let glyphs = style.glyphs();
    let (columns, rows) = (board.columns() as usize, board.rows() as usize);
    // One column more than the points need, for the mark of the last one.
    let mut cells = vec![vec![' '; (columns - 1) * STEP.0 + 2]; (rows - 1) * STEP.1 + 1];
    let place = |Coord { row, column }: Coord| (column as usize * STEP.0, (rows - 1 - row as usize) * STEP.1);
    for point in board.points() {
        let (x, y) = place(board.coord(point));
        // Each line once, from its lower or left end.
        for direction in board.lines(point).iter() {
            match direction {
                Direction::E => cells[y][x + 1..x + STEP.0].fill(glyphs.level),
                Direction::N => cells[y - 1][x] = glyphs.upright,
                Direction::Ne => cross(&mut cells[y - 1][x + STEP.0 / 2], glyphs.rising, glyphs.crossing),
                Direction::Nw => cross(&mut cells[y - 1][x - STEP.0 / 2], glyphs.falling, glyphs.crossing),
                Direction::Se | Direction::S | Direction::Sw | Direction::W => {}
            }
        }
    }
    for point in board.points() {
        let (x, y) = place(board.coord(point));
        let (sign, mark) = at(point);
        cells[y][x] = sign;
        if let Some(mark) = mark {
            cells[y][x + 1] = mark;
        }
    }
    let margin = rows.to_string().len();
    let mut text = String::new();
    for (y, line) in cells.iter().enumerate() {
        let number = if y % STEP.1 == 0 { (rows - y / STEP.1).to_string() } else { String::new() };
        let line: String = line.iter().collect();
        text.push_str(format!("{number:>margin$}  {line}").trim_end());
        text.push('\n');
    }
    let letters: Vec<String> = (0..board.columns()).map(|c| ((b'a' + c) as char).to_string()).collect();
    let _ = writeln!(text, "\n{:margin$}  {}", "", letters.join(&" ".repeat(STEP.0 - 1)));
    text
}

fn cross(cell: &mut char, stroke: char, crossing: char) {
    *cell = if *cell == ' ' { stroke } else { crossing };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{board_from_toml, builtin_pods};

    fn sample() -> Game {
        let text = "name = 'x'\nsource = 'test'\npoints = '''\no-o o\n|X \\|\no o-o\n  |/\n  o\n'''";
        Game::new(board_from_toml("x", text).unwrap(), builtin_pods("duo").unwrap(), "standard".parse().unwrap())
    }

    #[test]
    fn a_board_shows_its_lines_and_holes_in_both_styles() {
        let unicode = "\
3  ○───○   ○
   │ ╳   ╲ │
2  ○   ○───○
       │ ╱
1      ○

   a   b   c
";
        let ascii = unicode.chars().map(|c| match c {
            '○' => '.',
            '─' => '-',
            '│' => '|',
            '╱' => '/',
            '╲' => '\\',
            '╳' => 'X',
            other => other,
        });
        let game = sample();
        assert_eq!(board(game.board(), Style::Unicode), unicode);
        assert_eq!(board(game.board(), Style::Ascii), ascii.collect::<String>());
    }

    #[test]
    fn a_position_marks_attacks_on_empty_points_and_on_foes_only() {
        let game = sample();
        let setup = game.parse_position("2B/1t1/3 b t b -").unwrap();
        let at = |name: &str| game.board().point_at(name.parse().unwrap()).unwrap();
        let attacks = [
            (at("c3"), Side::White),
            (at("c3"), Side::Black),
            (at("b2"), Side::White),
            (at("a2"), Side::White),
            (at("b1"), Side::Black),
            (at("a3"), Side::Black),
            (at("a3"), Side::White),
        ];
        let drawing = position(&game, &setup, &attacks, Style::Unicode);
        let expected = "\
Black's hand: b   to move

3  ◇───○   B▽
   │ ╳   ╲ │
2  △   t△──○
       │ ╱
1      ▽

   a   b   c

White's hand: t
";
        assert_eq!(drawing, expected);
        let ascii = position(&game, &setup, &attacks, Style::Ascii);
        assert!(ascii.is_ascii() && ascii.contains("2  ^   t^--."), "{ascii}");
        assert!(position_legend(Style::Ascii).is_ascii() && legs_legend(Style::Ascii).is_ascii());
    }

    #[test]
    fn roses_turn_for_black_and_wrap() {
        let pods = builtin_pods("duo").unwrap();
        assert_eq!(
            legs(&pods, Side::White, pods.kinds(), true, Style::Unicode),
            "                  ↑\n⇐ B               T ⇒\n  ↓             ↙\nbipod s-W       tripod n-E-sw\n"
        );
        assert_eq!(
            legs(&pods, Side::Black, pods.kinds(), false, Style::Ascii),
            "  |         /\n  b *   * t\n          |\n"
        );
        let many = [PodKind::new(0); 13];
        assert_eq!(legs(&pods, Side::White, many, false, Style::Ascii).lines().count(), 7);
        assert_eq!(legs(&pods, Side::White, [], true, Style::Ascii), "");
    }
}
