// Operators down, steps (tokens) or ranks across, one metric as the shade.
import { computed, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { ColourChoice, FilterNote, palette, useCanvas } from "../parts";
import { filtered, filteredIn, order } from "../rows";
import { shade, weight } from "../scale";
import { colour, dark, run, selected } from "../state";
import { ICONS, isolated, t } from "../words";

const CELL = 18, NAME = 260, HEAD = 24;
type Axis = "step" | "rank";

const distinct = (axis: Axis) => {
  const r = run.value;
  return r ? [...new Set(r.numbers(axis))].filter((x) => !Number.isNaN(x)).sort((a, b) => a - b) : [];
};
const axes = computed(() => (["step", "rank"] as Axis[]).filter((a) => distinct(a).length > 1));
export const hasSteps = computed(() => axes.value.length > 0);

function tensorOf(row: number): string {
  const r = run.value!, index = r.numbers("index")[row];
  return [r.op(row), r.text("port", row), Number.isNaN(index) ? "" : index].filter((x) => x !== "").join(":");
}

/** The worst row of each cell; lines in the order of execution. */
function makeGrid(axis: Axis, metric: string) {
  const r = run.value!, columns = distinct(axis), at = new Map(columns.map((c, i) => [c, i]));
  const lines = new Map<string, Int32Array>();
  for (const row of filteredIn(order.value.rows)) {
    const column = at.get(r.numbers(axis)[row]);
    if (column === undefined) continue;
    const name = tensorOf(row);
    if (!lines.has(name)) lines.set(name, new Int32Array(columns.length).fill(-1));
    const cells = lines.get(name)!;
    if (cells[column] < 0 || weight(metric, row) > weight(metric, cells[column])) cells[column] = row;
  }
  return { columns, names: [...lines.keys()], cells: [...lines.values()] };
}

export function Steps() {
  const axis = useSignal<Axis>(axes.value[0] ?? "step"), top = useSignal(0);
  const grid = useMemo(() => makeGrid(axis.value, colour.value), [run.value, axis.value, colour.value, filtered.value]);
  const { ref } = useCanvas((g, width, height) => {
    const colours = palette(), first = Math.floor(top.value / CELL), r = run.value!;
    g.fillStyle = colours.bg;
    g.fillRect(0, 0, width, height);
    g.font = "11px system-ui, sans-serif";
    for (let i = first; i < grid.names.length && HEAD + (i - first) * CELL < height; i++) {
      const y = HEAD + (i - first) * CELL;
      g.fillStyle = colours.text;
      g.fillText(isolated(grid.names[i].slice(-40)), 6, y + 13);
      grid.cells[i].forEach((row, k) => {
        if (row < 0) return;
        g.fillStyle = shade(colour.value, row, colours);
        g.fillRect(NAME + k * CELL, y, CELL - 1, CELL - 1);
        g.fillStyle = colours.bg; // shapes, for those who do not see the colours
        if (r.verdict(row) !== "pass") g.fillText(ICONS[r.verdict(row)], NAME + k * CELL + 5, y + 12);
        if (r.cause(row) === "origin") g.fillRect(NAME + k * CELL + 2, y + 14, CELL - 5, 2);
        if (row === selected.value) { g.strokeStyle = colours.accent; g.lineWidth = 3; g.strokeRect(NAME + k * CELL, y, CELL - 1, CELL - 1); }
      });
    }
    g.fillStyle = colours.muted;
    const every = Math.ceil(28 / CELL);
    grid.columns.forEach((c, k) => { if (k % every === 0) g.fillText(String(c), NAME + k * CELL + 2, 15); });
  }, [grid, top.value, selected.value, dark.value]);
  const pick = (e: MouseEvent) => {
    const line = Math.floor(top.value / CELL) + Math.floor((e.offsetY - HEAD) / CELL);
    const row = grid.cells[line]?.[Math.floor((e.offsetX - NAME) / CELL)];
    if (row !== undefined && row >= 0) selected.value = row;
  };
  return (
    <>
      <div class="tools">
        <label>{t("across")} <select data-axis value={axis.value} onChange={(e) => { axis.value = e.currentTarget.value as Axis; }}>
          {axes.value.map((a) => <option key={a} value={a}>{t(a)}</option>)}</select></label>
        <ColourChoice /><FilterNote /><span class="muted">{t("steps_help")}</span>
      </div>
      <div class="heat" onScroll={(e) => { top.value = e.currentTarget.scrollTop; }}>
        <canvas ref={ref} data-heat role="img" aria-label={`${t("view_steps")}: ${colour.value}`} style={{ width: `${Math.max(600, NAME + grid.columns.length * CELL)}px` }} onClick={pick} />
        <div style={{ height: `${grid.names.length * CELL}px` }} />
      </div>
    </>
  );
}
