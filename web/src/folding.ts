// Which boxes a graph has: name scopes folded to a depth, and some of them
// opened again. The program laid out every depth; an opened scope gets the
// place of its box and pushes the others aside.
import { Run, Side } from "./data";

interface Level { layer: Uint32Array; x: ArrayLike<number>; box: Uint32Array; members: Uint32Array; name: (box: number) => string }
/** A box, or an opened scope: its children in rows. Sizes and places count boxes. */
export interface Cell { level: number; box: number; name: string; members: number; width: number; height: number; rows: Cell[][] }
export interface Placed { cell: Cell; x: number; layer: number }
export interface Folding {
  leaves: Placed[]; scopes: Placed[]; // boxes, and scopes that are opened
  from: Uint32Array; to: Uint32Array; // of edges between leaves
  leaf: Uint32Array; // of each operator
}

function readLevel(r: Run, side: Side, level: number): Level {
  const at = (name: string) => r.numbers(`${side}.${level}.${name}`), names = at("name");
  return { layer: at("layer") as Uint32Array, x: at("x"), box: at("box") as Uint32Array, members: at("members") as Uint32Array,
    name: (box) => r.head.texts[names[box]] };
}

/** The level for a depth; where a side has none of it, the next finer one looks nearly the same. */
export function levelFor(depths: number[], depth: number): number {
  const finer = depths.map((d, i) => [d, i]).filter(([d]) => d >= depth && d > 0).sort(([a], [b]) => a - b);
  return depth === 0 || finer.length === 0 ? 0 : finer[0][1];
}

function groupBy(list: Iterable<number>, key: (i: number) => number): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const i of list) {
    const group = groups.get(key(i));
    if (group) group.push(i);
    else groups.set(key(i), [i]);
  }
  return groups;
}

/** The boxes of a level inside each box of the next coarser one. */
function childrenOf(fine: Level, coarse: Level): Map<number, number[]> {
  const parent = new Uint32Array(fine.layer.length);
  fine.box.forEach((box, node) => { parent[box] = coarse.box[node]; });
  return groupBy(parent.keys(), (box) => parent[box]);
}

/** Boxes in rows from top to bottom, each from left to right. */
function inRows(level: Level, boxes: Iterable<number>): number[][] {
  const rows = [...groupBy(boxes, (box) => level.layer[box])].sort(([a], [b]) => a - b);
  return rows.map(([, row]) => row.sort((a, b) => level.x[a] - level.x[b]));
}

function makeCell(levels: Level[], level: number, box: number, opened: Set<string>, children: Map<number, number[]>[]): Cell {
  const { name, members } = levels[level];
  const cell = { level, box, name: name(box), members: members[box], width: 1, height: 1, rows: [] as Cell[][] };
  if (level === 0 || members[box] === 1 || !opened.has(cell.name)) return cell;
  cell.rows = inRows(levels[level - 1], children[level].get(box)!)
    .map((row) => row.map((child) => makeCell(levels, level - 1, child, opened, children)));
  cell.width = Math.max(...cell.rows.map((row) => row.reduce((sum, c) => sum + c.width, 0)));
  cell.height = cell.rows.reduce((sum, row) => sum + Math.max(...row.map((c) => c.height)), 0);
  return cell;
}

function place({ cell, x, layer }: Placed, out: Folding) {
  (cell.rows.length ? out.scopes : out.leaves).push({ cell, x, layer });
  for (const row of cell.rows) {
    let at = x + (cell.width - row.reduce((sum, c) => sum + c.width, 0)) / 2;
    for (const child of row) { place({ cell: child, x: at, layer }, out); at += child.width; }
    layer += Math.max(...row.map((c) => c.height));
  }
}

/** Below an opened scope all move down, beside it those on the right move right. */
function placeAll(top: Level, cellOf: (box: number) => Cell, out: Folding) {
  let layer = 0, last = 0;
  for (const row of inRows(top, top.layer.keys())) {
    const cells = row.map(cellOf);
    let right = 0;
    layer += top.layer[row[0]] - last; // empty layers stay
    last = top.layer[row[0]] + 1;
    cells.forEach((cell, i) => {
      place({ cell, x: top.x[row[i]] + right, layer }, out);
      right += cell.width - 1;
    });
    layer += Math.max(...cells.map((c) => c.height));
  }
}

/** The edges of operators as edges of boxes, each once. */
function foldEdges(r: Run, side: Side, leaf: Uint32Array, count: number): [Uint32Array, Uint32Array] {
  const from = r.numbers(`${side}.0.from`), to = r.numbers(`${side}.0.to`), seen = new Set<number>();
  from.forEach((a: number, i: number) => { if (leaf[a] !== leaf[to[i]]) seen.add(leaf[a] * count + leaf[to[i]]); });
  return [Uint32Array.from(seen, (e) => Math.floor(e / count)), Uint32Array.from(seen, (e) => e % count)];
}

export function fold(r: Run, side: Side, depth: number, opened: string[]): Folding {
  const top = levelFor(r.head.graphs[side]!.depths, depth);
  const levels = Array.from({ length: top + 1 }, (_, i) => readLevel(r, side, i));
  const children = levels.map((level, i) => (i > 0 && opened.length ? childrenOf(levels[i - 1], level) : new Map()));
  const out: Folding = { leaves: [], scopes: [], from: new Uint32Array(), to: new Uint32Array(), leaf: new Uint32Array() };
  placeAll(levels[top], (box) => makeCell(levels, top, box, new Set(opened), children), out);
  const ids = levels.map((level) => new Int32Array(level.layer.length).fill(-1));
  out.leaves.forEach(({ cell }, id) => { ids[cell.level][cell.box] = id; });
  out.leaf = Uint32Array.from(levels[0].box, (_, node) => {
    for (let i = top; ; i--) { const id = ids[i][levels[i].box[node]]; if (id >= 0) return id; }
  });
  [out.from, out.to] = foldEdges(r, side, out.leaf, out.leaves.length);
  return out;
}
