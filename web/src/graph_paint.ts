// Draws a graph on a canvas: dots from far away, boxes from nearer, names when
// they can be read. Only what is in sight is touched.
import { GraphInfo } from "./data";
import { BOX, firstAt, Graph, layersBetween } from "./graph";
import { shade } from "./scale";
import { run } from "./state";
import { cell, ICONS, isolated } from "./words";

export interface Camera { x: number; y: number; scale: number } // of the middle
export interface Scene {
  graph: Graph; info: GraphInfo; leaders: Int32Array; metric: string; chosen: number; found: Set<number>;
  colours: Record<string, string>;
}
const MOST_EDGES = 6000;
export const READABLE = 0.55; // scale from which small texts are drawn
export const STRIP = 14; // the whole graph at a glance, at the right edge

function clip(g: CanvasRenderingContext2D, text: string, width: number, from: "start" | "end"): string {
  if (g.measureText(text).width <= width) return text;
  let size = Math.max(1, Math.floor(text.length * width / g.measureText(text).width) - 1);
  while (size > 1 && g.measureText(text.slice(-size)).width > width - 8) size--;
  return from === "start" ? `…${text.slice(-size)}` : `${text.slice(0, size)}…`;
}

function eachVisible(scene: Scene, view: DOMRect, visit: (box: number) => void) {
  const { graph } = scene, [first, last] = layersBetween(graph, view.top, view.bottom);
  for (let l = first; l <= last; l++) {
    const boxes = graph.layers[l];
    for (let i = firstAt(graph, boxes, view.left - BOX.width); i < boxes.length && graph.x[boxes[i]] < view.right; i++) visit(boxes[i]);
  }
}

function paintDots(g: CanvasRenderingContext2D, scene: Scene, view: DOMRect, scale: number) {
  const w = Math.max(1.5, BOX.width * scale), h = Math.max(1, BOX.height * scale);
  const marked: number[] = [];
  let last = "";
  eachVisible(scene, view, (box) => {
    const row = scene.leaders[box];
    const bad = row >= 0 && ["fail", "unsure", "error"].includes(run.value!.verdict(row));
    if (bad || box === scene.chosen) { marked.push(box); return; }
    const colour = row < 0 ? scene.colours.line : shade(scene.metric, row, scene.colours);
    if (colour !== last) g.fillStyle = last = colour;
    g.fillRect((scene.graph.x[box] - view.left) * scale, (scene.graph.y[box] - view.top) * scale, w, h);
  });
  for (const box of marked) {
    g.fillStyle = scene.leaders[box] < 0 ? scene.colours.accent : shade(scene.metric, scene.leaders[box], scene.colours);
    g.fillRect((scene.graph.x[box] - view.left) * scale - 1, (scene.graph.y[box] - view.top) * scale - 1, w + 2, Math.max(3, h + 1));
  }
}

function paintEdges(g: CanvasRenderingContext2D, scene: Scene, view: DOMRect, scale: number) {
  const { graph } = scene, { from, to, short, long } = graph.edges;
  const [first, last] = layersBetween(graph, view.top - 12 * BOX.stepY, view.bottom);
  let left = MOST_EDGES;
  const edge = (i: number) => {
    const a = from[i], b = to[i];
    const x1 = (graph.x[a] + BOX.width / 2 - view.left) * scale, y1 = (graph.y[a] + BOX.height - view.top) * scale;
    const x2 = (graph.x[b] + BOX.width / 2 - view.left) * scale, y2 = (graph.y[b] - view.top) * scale;
    if (Math.max(x1, x2) < 0 || Math.min(x1, x2) > view.width * scale || y2 < 0 || y1 > view.height * scale) return;
    left--;
    g.moveTo(x1, y1);
    if (scale < 0.25) g.lineTo(x2, y2);
    else { const bend = Math.min(40 * scale, Math.abs(y2 - y1) / 2); g.bezierCurveTo(x1, y1 + bend, x2, y2 - bend, x2, y2); }
  };
  g.strokeStyle = scene.colours.line;
  g.lineWidth = Math.max(0.7, 1.4 * scale);
  g.beginPath();
  for (let l = first; l <= last && left > 0; l++) for (const i of short[l] ?? []) edge(i);
  g.stroke();
  g.beginPath(); // those that cross half the picture stay in the background
  g.globalAlpha = 0.35;
  for (let i = 0; i < long.length && left > 0; i++) edge(long[i]);
  g.stroke();
  g.globalAlpha = 1;
}

function paintText(g: CanvasRenderingContext2D, scene: Scene, box: number, scale: number) {
  const { graph, info, colours } = scene, row = scene.leaders[box], members = graph.members[box];
  const x = graph.x[box], y = graph.y[box], verdict = row < 0 ? "" : run.value!.verdict(row);
  const originals = info.originals[graph.only[box]];
  g.fillStyle = colours.text;
  g.font = "600 11px system-ui, sans-serif";
  g.fillText(isolated(clip(g, graph.name(box), BOX.width - 26, "start")), x + 16, y + 15);
  if (verdict) g.fillText(ICONS[verdict], x + 11 - g.measureText(ICONS[verdict]).width / 2 - 1, y + 15);
  if (scale < READABLE) return;
  g.font = "10px system-ui, sans-serif";
  g.fillStyle = colours.muted;
  const type = members > 1 ? "" : run.value!.text(`${graph.side}.type`, graph.only[box]);
  const value = row >= 0 && scene.metric !== "verdict" ? cell(run.value!.metric(scene.metric)[row]) : "";
  const second = members > 1 ? `▸ ${members}` : originals ? originals.join(" + ") : [type, value].filter(Boolean).join("  ");
  g.fillText(isolated(clip(g, second, BOX.width - 20, "end")), x + 16, y + 29);
}

function paintBoxes(g: CanvasRenderingContext2D, scene: Scene, view: DOMRect, scale: number) {
  const { graph, info, colours } = scene;
  g.save();
  g.scale(scale, scale);
  g.translate(-view.left, -view.top);
  eachVisible(scene, view, (box) => {
    const row = scene.leaders[box], x = graph.x[box], y = graph.y[box], on = box === scene.chosen;
    const fused = graph.members[box] > 1 || info.originals[graph.only[box]] !== undefined;
    if (fused) { // a box behind the box
      g.strokeStyle = colours.muted;
      g.lineWidth = 1;
      g.strokeRect(x + 3.5, y - 3.5, BOX.width, BOX.height);
    }
    g.fillStyle = colours.panel;
    g.fillRect(x, y, BOX.width, BOX.height);
    g.fillStyle = row < 0 ? colours.line : shade(scene.metric, row, colours);
    g.fillRect(x, y, scale < 0.4 ? BOX.width : 5, BOX.height);
    const guilty = row >= 0 && run.value!.cause(row) === "origin";
    g.lineWidth = on || guilty ? 3 : scene.found.has(box) ? 2 : 1;
    g.strokeStyle = on || scene.found.has(box) ? colours.accent : guilty ? colours[run.value!.verdict(row)] : colours.line;
    g.strokeRect(x, y, BOX.width, BOX.height);
    if (scale >= 0.4) paintText(g, scene, box, scale);
  });
  g.restore();
}

/** Opened scopes, with their names. */
function paintFrames(g: CanvasRenderingContext2D, scene: Scene, view: DOMRect, scale: number) {
  g.strokeStyle = g.fillStyle = scene.colours.muted;
  g.lineWidth = 1;
  g.font = "11px system-ui, sans-serif";
  g.setLineDash([6, 4]);
  for (const { name, x, y, width, height } of scene.graph.frames) {
    const left = (x - view.left) * scale, top = (y - view.top) * scale;
    g.strokeRect(left, top, width * scale, height * scale);
    if (scale >= READABLE) g.fillText(isolated(`▾ ${clip(g, name, width * scale - 22, "start")}`), left + 4, top + 11);
  }
  g.setLineDash([]);
}

function paintStrip(g: CanvasRenderingContext2D, scene: Scene, view: DOMRect, width: number, height: number) {
  const { graph, colours, leaders } = scene, layers = graph.layers.length;
  g.fillStyle = colours.panel;
  g.fillRect(width - STRIP, 0, STRIP, height);
  for (const [boxes, l] of graph.layers.map((b, i) => [b, i] as const)) {
    for (const box of boxes) {
      const row = leaders[box];
      if (row < 0 || !["fail", "unsure", "error"].includes(run.value!.verdict(row))) continue;
      g.fillStyle = colours[run.value!.verdict(row)];
      g.fillRect(width - STRIP + 2, l / layers * height, STRIP - 4, Math.max(2, height / layers));
    }
  }
  const total = layers * BOX.stepY;
  g.strokeStyle = colours.accent;
  g.lineWidth = 1;
  g.strokeRect(width - STRIP + 0.5, view.top / total * height, STRIP - 1, Math.max(4, view.height / total * height));
}

export function paintGraph(g: CanvasRenderingContext2D, width: number, height: number, scene: Scene, camera: Camera) {
  const { scale } = camera;
  const view = new DOMRect(camera.x - width / 2 / scale, camera.y - height / 2 / scale, width / scale, height / scale);
  g.fillStyle = scene.colours.bg;
  g.fillRect(0, 0, width, height);
  if (scale < 0.06) paintDots(g, scene, view, scale);
  else { paintEdges(g, scene, view, scale); paintBoxes(g, scene, view, scale); paintFrames(g, scene, view, scale); }
  paintStrip(g, scene, view, width, height);
}
