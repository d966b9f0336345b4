// One side's graph as it is folded, ready to be drawn: which boxes stand in
// which layer, which edges start there, which row a box stands for.
import { Run, Side } from "./data";
import { fold, Placed } from "./folding";
import { weight } from "./scale";

export const BOX = { width: 132, height: 36, stepX: 150, stepY: 66 };
const FRAME_HEAD = 18; // above the boxes of an opened scope, with its name
const SHORT = 12; // layers; longer edges are kept apart

export interface Graph {
  side: Side; count: number;
  x: Float64Array; y: Float64Array; layer: Uint32Array; // of boxes
  layers: Uint32Array[]; // boxes from left to right
  edges: { from: Uint32Array; to: Uint32Array; short: number[][]; long: number[] };
  box: Uint32Array; // of each operator
  rows: number[][]; // of each box
  members: Uint32Array;
  only: Int32Array; // the operator of a box that has just one, else -1
  name: (box: number) => string;
  frames: Frame[];
}
/** An opened scope, around its boxes. */
export interface Frame { name: string; x: number; y: number; width: number; height: number }

function frameOf({ cell, x, layer }: Placed): Frame {
  const side = (BOX.stepX - BOX.width) / 2;
  return { name: cell.name, x: x * BOX.stepX - side, y: layer * BOX.stepY - FRAME_HEAD,
    width: cell.width * BOX.stepX, height: (cell.height - 1) * BOX.stepY + BOX.height + FRAME_HEAD + 8 };
}

export function makeGraph(r: Run, side: Side, depth: number, opened: string[]): Graph | null {
  if (!r.head.graphs[side]) return null;
  const { leaves, scopes, from, to, leaf: box } = fold(r, side, depth, opened);
  const layer = Uint32Array.from(leaves, (l) => l.layer), count = leaves.length;
  const x = Float64Array.from(leaves, (l) => l.x * BOX.stepX), y = Float64Array.from(layer, (v) => v * BOX.stepY);
  const lists: number[][] = Array.from({ length: layer.reduce((a, b) => Math.max(a, b), 0) + 1 }, () => []);
  layer.forEach((l, i) => lists[l].push(i));
  const layers = lists.map((list) => Uint32Array.from(list.sort((a, b) => x[a] - x[b])));
  const short: number[][] = lists.map(() => []), long: number[] = [];
  from.forEach((f, i) => {
    if (Math.abs(layer[to[i]] - layer[f]) > SHORT) long.push(i);
    else short[Math.min(layer[f], layer[to[i]])].push(i);
  });
  const rows: number[][] = Array.from({ length: count }, () => []);
  r.numbers(`${side}.node`).forEach((node: number, row: number) => { if (node) rows[box[node - 1]].push(row); });
  const members = Uint32Array.from(leaves, (l) => l.cell.members), only = new Int32Array(count).fill(-1);
  box.forEach((b, node) => { if (members[b] === 1) only[b] = node; });
  return { side, count, x, y, layer, layers, edges: { from, to, short, long }, box, rows,
    members, only, name: (b) => leaves[b].cell.name, frames: scopes.map(frameOf) };
}

/** The operator of a row, and the box it stands in; -1: none. */
export function nodeOf(r: Run, side: Side, row: number): number {
  return (r.numbers(`${side}.node`)[row] ?? 0) - 1;
}
export function boxOf(r: Run, graph: Graph, row: number): number {
  const node = nodeOf(r, graph.side, row);
  return node < 0 ? -1 : graph.box[node];
}

/** The worst row of each box by a metric; -1: none. */
export function leaders(graph: Graph, metric: string): Int32Array {
  return Int32Array.from(graph.rows, (rows) => {
    let best = -1, most = -1;
    for (const row of rows) {
      const w = weight(metric, row);
      if (w > most) { most = w; best = row; }
    }
    return best;
  });
}

/** The layers between two heights. */
export function layersBetween(graph: Graph, top: number, bottom: number): [number, number] {
  return [Math.max(0, Math.floor(top / BOX.stepY) - 1), Math.min(graph.layers.length - 1, Math.ceil(bottom / BOX.stepY))];
}

/** The first box of a layer at or right of x. */
export function firstAt(graph: Graph, boxes: Uint32Array, x: number): number {
  let low = 0, high = boxes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (graph.x[boxes[middle]] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function boxUnder(graph: Graph, x: number, y: number, reach = 0): number {
  const [first, last] = layersBetween(graph, y - reach, y + reach);
  let best = -1, nearest = Infinity;
  for (let l = first; l <= last; l++) {
    const boxes = graph.layers[l];
    for (let i = firstAt(graph, boxes, x - BOX.width - reach); i < boxes.length && graph.x[boxes[i]] <= x + reach; i++) {
      const dx = Math.max(graph.x[boxes[i]] - x, x - graph.x[boxes[i]] - BOX.width, 0);
      const dy = Math.max(graph.y[boxes[i]] - y, y - graph.y[boxes[i]] - BOX.height, 0);
      if (dx <= reach && dy <= reach && dx + dy < nearest) { nearest = dx + dy; best = boxes[i]; }
    }
  }
  return best;
}

/** The opened scope whose name stands there. */
export function frameNamedAt(graph: Graph, x: number, y: number): Frame | undefined {
  return graph.frames.find((f) => x >= f.x && x < f.x + f.width && y >= f.y && y < f.y + FRAME_HEAD);
}
/** The innermost opened scope around a box. */
export function frameAround(graph: Graph, box: number): Frame | undefined {
  const x = graph.x[box], y = graph.y[box];
  return graph.frames.filter((f) => x >= f.x && x < f.x + f.width && y >= f.y && y < f.y + f.height).pop();
}
/** Whether a place is on the lower line of a box: there a folded scope says how many it holds. */
export const onLowerLine = (graph: Graph, box: number, y: number) => y > graph.y[box] + BOX.height / 2;
