//! Wavefront OBJ: reads vertices and faces with messages that name the line; writes a state.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use glam::Vec3;

use super::atomic;
use super::read::read_plain;
use crate::Error;
use crate::foreign::excerpt;
use crate::model::MAX_NODES;

/// Most bytes of a file, about the size of a mesh of 20 million vertices.
const MOST_BYTES: u64 = 2 << 30;

/// A triangle mesh with duplicate vertices welded, polygons split, and every vertex on a face.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjMesh {
    /// Vertices, in the order of the file.
    pub positions: Vec<Vec3>,
    /// Triangles, in the order and orientation of the file.
    pub triangles: Vec<[u32; 3]>,
}

/// Reads the mesh in the file at `path`.
pub fn read_obj(path: &Path) -> Result<ObjMesh, Error> {
    let bytes = read_plain(path, MOST_BYTES, "a mesh is text in Wavefront OBJ: v and f lines")
        .map_err(|message| Error::file(path, message))?;
    // Names and comments may be in any encoding; only numbers matter here.
    parse_obj(&String::from_utf8_lossy(&bytes), path)
}

/// Reads a mesh from `text`; `path` is for messages. Elements other than `v` and `f` are ignored.
pub fn parse_obj(text: &str, path: &Path) -> Result<ObjMesh, Error> {
    let mut reader =
        Reader { path, vertices: Vec::new(), by_position: HashMap::new(), mesh: ObjMesh::default() };
    let mut faces = Vec::new();
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => reader.vertex(index + 1, words)?,
            Some("f") => faces.push((index + 1, reader.vertices.len(), words)),
            _ => {}
        }
    }
    if faces.is_empty() {
        return Err(Error::file(path, "it has no faces ('f' lines); a mesh needs at least one"));
    }
    // After all vertices, because a face may name vertices below it.
    for (line, before, words) in faces {
        reader.face(line, before, words)?;
    }
    reader.finish()
}

struct Reader<'a> {
    path: &'a Path,
    /// Welded index of each vertex of the file, and its line.
    vertices: Vec<(u32, usize)>,
    by_position: HashMap<[u32; 3], u32>,
    mesh: ObjMesh,
}

impl Reader<'_> {
    fn error<T>(&self, line: usize, message: impl Into<String>) -> Result<T, Error> {
        Err(Error::line(self.path, line, message))
    }

    fn vertex<'t>(&mut self, line: usize, words: impl Iterator<Item = &'t str>) -> Result<(), Error> {
        let mut xyz = [0.0f32; 3];
        let mut words = words;
        for x in &mut xyz {
            let Some(word) = words.next() else {
                return self.error(line, "a vertex needs three coordinates: v x y z");
            };
            *x = match word.parse::<f32>() {
                // Add zero, so that -0 and 0 are the same position.
                Ok(number) if number.is_finite() => number + 0.0,
                _ => {
                    return self
                        .error(line, format!("'{}' is not a finite number below 3.4e38", excerpt(word)));
                }
            };
        }
        let next = self.mesh.positions.len() as u32;
        let welded = *self.by_position.entry(xyz.map(f32::to_bits)).or_insert(next);
        if welded == next {
            self.mesh.positions.push(Vec3::from_array(xyz));
        }
        if self.vertices.len() >= MAX_NODES {
            return self.error(line, format!("more than {MAX_NODES} vertices are too many"));
        }
        self.vertices.push((welded, line));
        Ok(())
    }

    fn face<'t>(
        &mut self,
        line: usize,
        before: usize,
        words: impl Iterator<Item = &'t str>,
    ) -> Result<(), Error> {
        let corners = words.map(|word| self.corner(line, before, word)).collect::<Result<Vec<u32>, _>>()?;
        if corners.len() < 3 {
            let message = format!("a face needs at least three vertices; this one has {}", corners.len());
            return self.error(line, message);
        }
        for i in 1..corners.len() - 1 {
            let triangle = [corners[0], corners[i], corners[i + 1]];
            let [a, b, c] = triangle.map(|n| self.mesh.positions[n as usize].as_dvec3());
            let longest =
                (b - a).length_squared().max((c - a).length_squared()).max((c - b).length_squared());
            if (b - a).cross(c - a).length() <= 1e-6 * longest {
                let message = "a degenerate face: it uses a place twice or its corners lie on one line; remove \
                               it, or split the polygon differently";
                return self.error(line, message);
            }
            self.mesh.triangles.push(triangle);
        }
        Ok(())
    }

    /// The welded index of `7`, `7/1`, `7//2`, `7/1/2`, or of a negative index counted from the
    /// last vertex above the face.
    fn corner(&self, line: usize, before: usize, word: &str) -> Result<u32, Error> {
        let number = word.split('/').next().unwrap_or_default();
        let Ok(index) = number.parse::<i64>() else {
            return self.error(line, format!("'{}' is not a vertex index", excerpt(word)));
        };
        let position = if index < 0 { before as i64 + index } else { index - 1 };
        let known = usize::try_from(position).ok().and_then(|i| self.vertices.get(i));
        match known {
            Some(&(welded, _)) if index != 0 => Ok(welded),
            _ => {
                let count = self.vertices.len();
                let message = format!("vertex {index} does not exist: indices run from 1 to {count}");
                self.error(line, message)
            }
        }
    }

    fn finish(self) -> Result<ObjMesh, Error> {
        let mut used = vec![false; self.mesh.positions.len()];
        self.mesh.triangles.iter().flatten().for_each(|&n| used[n as usize] = true);
        if let Some(&(_, line)) = self.vertices.iter().find(|(welded, _)| !used[*welded as usize]) {
            return self.error(line, "an isolated vertex: no face uses it; remove it");
        }
        Ok(self.mesh)
    }
}

/// Writes positions \[m\], triangles and lines.
pub(super) fn write(
    path: &Path,
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    lines: &[[u32; 2]],
) -> Result<(), Error> {
    atomic::write(path, |w| {
        writeln!(w, "# taffeta: {} vertices, {} triangles", positions.len(), triangles.len())?;
        for p in positions {
            writeln!(w, "v {} {} {}", p.x, p.y, p.z)?;
        }
        for [a, b] in lines {
            writeln!(w, "l {} {}", a + 1, b + 1)?;
        }
        for [a, b, c] in triangles {
            writeln!(w, "f {} {} {}", a + 1, b + 1, c + 1)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<ObjMesh, String> {
        parse_obj(text, Path::new("m.obj")).map_err(|e| e.to_string())
    }

    const SQUARE: &str = "# square\nv 0 0 0\nv 1 0 0\nv 1 1 0 0.5 0.5 0.5\nv 0 1 0\n";

    #[test]
    fn quads_are_split_and_duplicates_welded() {
        let mesh = parse(&format!("{SQUARE}vn 0 0 1\nf 1/1/1 2//1 3 4\n")).unwrap();
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        // Vertices 5 and 7 equal 1 and 3; negative indices count back from the face.
        let text = format!("{SQUARE}v -0 0 0\nv 2 0 0\nv 1 1 0\nf 5 2 7\nf -7 3 -4\nf 2 -2 3 # the end\n");
        let mesh = parse(&text).unwrap();
        assert_eq!(mesh.positions.len(), 5);
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3], [1, 4, 2]]);
    }

    #[test]
    fn errors_name_the_line() {
        let check = |text: &str, expected: &str| {
            let error = parse(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        };
        check(&format!("\u{feff}{SQUARE}f 1 2 x\n"), "m.obj:6: 'x' is not a vertex index");
        check("\u{feff}v 0 0\n", "m.obj:1: a vertex needs three coordinates");
        check("v 0 0\n", "m.obj:1: a vertex needs three coordinates");
        check("v 0 0 nan\n", "m.obj:1: 'nan' is not a finite number");
        check("v 0 0 1e99\n", "m.obj:1: '1e99'");
        check(SQUARE, "m.obj: it has no faces");
        check(&format!("{SQUARE}f 1 2 5\n"), "m.obj:6: vertex 5 does not exist: indices run from 1 to 4");
        check(&format!("{SQUARE}f 0 1 2\n"), "m.obj:6: vertex 0");
        check(&format!("{SQUARE}f 1 2 -9\n"), "m.obj:6: vertex -9");
        check(&format!("{SQUARE}f 1 2\n"), "m.obj:6: a face needs at least three");
        check(&format!("{SQUARE}f 1 2 x\n"), "m.obj:6: 'x' is not a vertex index");
        check(&format!("{SQUARE}f 1 2 2\n"), "m.obj:6: a degenerate face");
        check(&format!("{SQUARE}v 2 0 0\nf 1 2 5\n"), "m.obj:7: a degenerate face");
        check(&format!("{SQUARE}f 1 2 3\n"), "m.obj:5: an isolated vertex");
    }
}
