// Both graphs side by side; a click in one selects the row, and with it the
// operator in the other.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Side } from "../data";
import { BOX, boxOf, boxUnder, frameAround, frameNamedAt, Graph, leaders, makeGraph, nodeOf, onLowerLine } from "../graph";
import { Camera, paintGraph, READABLE, STRIP } from "../graph_paint";
import { ColourChoice, palette, useCanvas } from "../parts";
import { colour, dark, depth, drawn, opened, run, selected, zoom } from "../state";
import { t, word } from "../words";

function centred(graph: Graph, box: number, scale: number): Camera {
  return { x: graph.x[box] + BOX.width / 2, y: graph.y[box] + BOX.height / 2, scale };
}
/** A whole small graph, else the guilty operator. */
function firstCamera(graph: Graph, box: number, width: number, height: number): Camera {
  const wide = graph.x.reduce((a, b) => Math.max(a, b), 0) + BOX.width, high = graph.layers.length * BOX.stepY;
  const scale = Math.min(1, (width - 60) / wide, (height - 40) / high);
  if (scale > 0.4) return { x: wide / 2, y: high / 2, scale };
  return centred(graph, Math.max(box, 0), 0.8);
}
function readCamera(text: string | undefined): Camera | null {
  const [x, y, scale] = (text ?? "").split(",").map(Number);
  return scale > 0 ? { x, y, scale } : null;
}

const clamped = (scale: number) => Math.min(2, Math.max(0.002, scale));

function moveCamera(c: Camera, key: string): Camera | null {
  const step = 80 / c.scale;
  switch (key) {
    case "ArrowLeft": return { ...c, x: c.x - step };
    case "ArrowRight": return { ...c, x: c.x + step };
    case "ArrowUp": return { ...c, y: c.y - step };
    case "ArrowDown": return { ...c, y: c.y + step };
    case "+": return { ...c, scale: clamped(c.scale * 1.25) };
    case "-": return { ...c, scale: clamped(c.scale / 1.25) };
    default: return null;
  }
}

function keepCamera(side: Side, { x, y, scale }: Camera) {
  zoom.value = { ...zoom.value, [side]: `${Math.round(x)},${Math.round(y)},${scale.toPrecision(3)}` };
}

function usePointer(graph: Graph, camera: { current: Camera }, repaint: () => void) {
  const place = (e: MouseEvent) => {
    const box = (e.currentTarget as HTMLElement).getBoundingClientRect(), c = camera.current;
    return { x: c.x + (e.clientX - box.left - box.width / 2) / c.scale, y: c.y + (e.clientY - box.top - box.height / 2) / c.scale,
      strip: e.clientX > box.right - STRIP, part: (e.clientY - box.top) / box.height };
  };
  const start = useRef<{ x: number; y: number; camera: Camera; moved: boolean } | null>(null);
  return {
    onPointerDown: (e: PointerEvent) => {
      (e.currentTarget as HTMLElement).setPointerCapture(e.pointerId);
      start.current = { x: e.clientX, y: e.clientY, camera: { ...camera.current }, moved: false };
    },
    onPointerMove: (e: PointerEvent) => {
      const s = start.current;
      if (!s) return;
      s.moved ||= Math.hypot(e.clientX - s.x, e.clientY - s.y) > 3;
      camera.current = { ...s.camera, x: s.camera.x - (e.clientX - s.x) / s.camera.scale, y: s.camera.y - (e.clientY - s.y) / s.camera.scale };
      repaint();
    },
    onPointerUp: (e: PointerEvent) => {
      const s = start.current, at = place(e);
      start.current = null;
      if (at.strip && !s?.moved) camera.current.y = at.part * graph.layers.length * BOX.stepY;
      else if (!s?.moved) click(graph, at.x, at.y, camera.current.scale);
      keepCamera(graph.side, camera.current);
      repaint();
    },
    onWheel: (e: WheelEvent) => {
      e.preventDefault();
      const at = place(e), c = camera.current, scale = clamped(c.scale * Math.exp(-e.deltaY / 400));
      camera.current = { x: at.x + (c.x - at.x) * c.scale / scale, y: at.y + (c.y - at.y) * c.scale / scale, scale };
      keepCamera(graph.side, camera.current);
      repaint();
    },
  };
}

const openScope = (name: string) => { opened.value = [...opened.value, name]; };
const closeScope = (name: string | undefined) => { opened.value = opened.value.filter((scope) => scope !== name); };

/** A folded scope opens; any other box closes the scope it is in. */
function toggleScope(graph: Graph, box: number) {
  if (box < 0) return;
  if (graph.members[box] > 1) openScope(graph.name(box));
  else closeScope(frameAround(graph, box)?.name);
}

/** Where texts can be read, a scope's number of operators opens it and its name closes it; else a click selects. */
function click(graph: Graph, x: number, y: number, scale: number) {
  const box = boxUnder(graph, x, y, 4 / scale), readable = scale >= READABLE;
  const named = readable && box < 0 ? frameNamedAt(graph, x, y) : undefined;
  if (named) closeScope(named.name);
  else if (readable && box >= 0 && graph.members[box] > 1 && onLowerLine(graph, box, y)) openScope(graph.name(box));
  else pick(graph, box);
}

function pick(graph: Graph, box: number) {
  if (box < 0 || graph.rows[box].length === 0) return;
  const rows = graph.rows[box];
  if (selected.value === null || !rows.includes(selected.value)) selected.value = leaders(graph, "verdict")[box];
}

function Canvas({ graph, found }: { graph: Graph; found: Set<number> }) {
  const r = run.value!, side = graph.side, info = r.head.graphs[side]!;
  const best = useMemo(() => leaders(graph, colour.value), [graph, colour.value]);
  const chosen = selected.value === null ? -1 : boxOf(r, graph, selected.value);
  const suspect = r.head.suspects.map((row) => boxOf(r, graph, row)).find((box) => box >= 0) ?? -1;
  const camera = useRef<Camera>(null!);
  const { ref, repaint } = useCanvas((g, width, height) => {
    camera.current ??= readCamera(zoom.value[side]) ?? firstCamera(graph, chosen >= 0 ? chosen : suspect, width, height);
    paintGraph(g, width, height, { graph, info, leaders: best, metric: colour.value, chosen, found, colours: palette() }, camera.current);
  }, [graph, best, chosen, found, dark.value]);
  const pointer = usePointer(graph, camera, repaint);
  useEffect(() => {
    const c = camera.current;
    if (chosen < 0 || !c) return;
    const near = centred(graph, chosen, Math.max(c.scale, 0.5));
    const box = ref.current!.getBoundingClientRect();
    const seen = Math.abs(near.x - c.x) < box.width / 2.4 / c.scale && Math.abs(near.y - c.y) < box.height / 2.4 / c.scale;
    if (!seen || c.scale < 0.2) camera.current = near;
    repaint();
  }, [chosen, graph]);
  const first = [...found][0];
  useEffect(() => { if (first !== undefined) { camera.current = centred(graph, first, 0.8); repaint(); } }, [first]);
  drawn[side] = chosen < 0 ? null : { row: selected.value!, name: graph.name(chosen) };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "Enter") toggleScope(graph, chosen);
    const moved = moveCamera(camera.current, e.key);
    if (!moved) return;
    camera.current = moved;
    keepCamera(side, moved);
    e.preventDefault();
    repaint();
  };
  return <canvas ref={ref} data-graph={side} data-boxes={graph.count} tabIndex={0} role="img" aria-label={t("graph_of", word(side))}
    onKeyDown={onKeyDown} {...pointer} />;
}

function Pane({ side, search }: { side: Side; search: string }) {
  const r = run.value!, info = r.head.graphs[side];
  const graph = useMemo(() => makeGraph(r, side, depth.value, opened.value), [r, depth.value, opened.value]);
  const found = useMemo(() => {
    const low = search.toLowerCase(), out = new Set<number>();
    if (low) graph?.box.forEach((box, node) => { if (r.text(`${side}.0.name`, node).toLowerCase().includes(low)) out.add(box); });
    return out;
  }, [graph, search]);
  if (!graph || !info) {
    return <div class="graph"><h2>{word(side)}</h2><p class="wait">{t(side === "golden" ? "no_golden_graph" : "no_target_graph")}</p></div>;
  }
  const node = selected.value === null ? -1 : nodeOf(r, side, selected.value), originals = info.originals[node];
  return (
    <div class="graph">
      <h2>{word(side)} <span class="muted"><bdi>{info.file}</bdi> · {t("boxes", graph.count)}</span></h2>
      <Canvas key={depth.value} graph={graph} found={found} />
      {originals && <p class="fused">{t("fused")} {originals.map((name) => <span class="original" key={name}><bdi>{name}</bdi></span>)}</p>}
    </div>
  );
}

export function Model() {
  const search = useSignal(""), graphs = run.value!.head.graphs;
  const depths = [...new Set([...graphs.golden?.depths ?? [], ...graphs.target?.depths ?? []])].sort((a, b) => a - b);
  const foldTo = (n: number) => { zoom.value = {}; opened.value = []; depth.value = n; };
  return (
    <>
      <div class="tools">
        <input type="search" placeholder={t("search_graph")} aria-label={t("search_graph")} value={search.value}
          onInput={(e) => { search.value = e.currentTarget.value; }} />
        <ColourChoice />
        <label>{t("fold")} <select data-fold value={depth.value} disabled={depths.length < 2} onChange={(e) => foldTo(Number(e.currentTarget.value))}>
          {depths.map((d) => <option key={d} value={d}>{d === 0 ? t("fold_none") : t("fold_scope", d)}</option>)}
        </select></label>
        {opened.value.map((scope) => (
          <button class="chip" key={scope} data-opened={scope} title={t("close_scope")}
            onClick={() => closeScope(scope)}><bdi>{scope}</bdi> ✕</button>))}
        <span class="muted">{t("graph_help")}</span>
      </div>
      <div class="graphs"><Pane side="golden" search={search.value} /><Pane side="target" search={search.value} /></div>
    </>
  );
}
