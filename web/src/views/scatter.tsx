// One point per row, in the order of execution. uPlot has the axes and the
// brush; points are drawn here, because there may be 100 000 of them.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { FilterNote, palette } from "../parts";
import { filtered, order } from "../rows";
import { brushed, dark, drawn, lang, linear, metrics, run, selected, view } from "../state";
import { isolated, short, t } from "../words";

const LANE = 22; // below the plot: rows without a number there

/** Log axes cannot show 0: the smallest positive value stands for it. */
function pointsOf(metric: string) {
  const r = run.value!, values = r.metric(metric), place = order.value.place;
  const xs: number[] = [], ys: number[] = [], rows: number[] = [], lane: number[] = [];
  let least = Infinity;
  for (const x of values) if (x > 0 && x < least && isFinite(x)) least = x;
  const log = !linear.value && isFinite(least);
  for (const row of filtered.value) {
    let y = values[row];
    if (log && y <= 0) y = y === 0 ? least / 2 : NaN;
    if (isFinite(y)) { xs.push(place[row]); ys.push(y); rows.push(row); } else lane.push(row);
  }
  return { xs, ys, rows, lane, log };
}
type Points = ReturnType<typeof pointsOf>;

/** Shapes differ too, for those who do not see the colours. */
function mark(g: CanvasRenderingContext2D, verdict: string, x: number, y: number, size: number) {
  if (verdict === "pass") g.fillRect(x - size / 2, y - size / 2, size, size);
  else if (verdict === "fail" || verdict === "error") {
    g.fillRect(x - size * 1.5, y - size / 2, size * 3, size);
    g.fillRect(x - size / 2, y - size * 1.5, size, size * 3);
  } else {
    g.beginPath();
    g.moveTo(x, y - size * 1.4); g.lineTo(x + size * 1.3, y + size); g.lineTo(x - size * 1.3, y + size);
    g.fill();
  }
}

function drawFloor(u: uPlot, metric: string, points: Points, colours: Record<string, string>) {
  const r = run.value!, floor = r.numbers("floor");
  u.ctx.fillStyle = colours.muted;
  for (let i = 0; i < points.rows.length; i++) {
    const row = points.rows[i], y = floor[row];
    if (!(y > 0) || r.text("floor_metric", row) !== metric) continue;
    u.ctx.fillRect(u.valToPos(points.xs[i], "x", true) - 2, u.valToPos(y, "y", true), 4, 1);
  }
}

function drawPoints(u: uPlot, metric: string, points: Points) {
  const r = run.value!, g = u.ctx, colours = palette(), dots = devicePixelRatio;
  const { left, top, width, height } = u.bbox;
  g.save();
  g.beginPath();
  g.rect(left, top, width, height + LANE * dots);
  g.clip();
  drawFloor(u, metric, points, colours);
  const size = (points.rows.length > 20000 ? 2 : 4) * dots;
  for (const wanted of ["pass", "trivial", "skipped", "unsure", "error", "fail"]) { // the worst on top
    g.fillStyle = colours[wanted];
    for (let i = 0; i < points.rows.length; i++) {
      if (r.verdict(points.rows[i]) !== wanted) continue;
      mark(g, wanted, u.valToPos(points.xs[i], "x", true), u.valToPos(points.ys[i], "y", true), size);
    }
  }
  const laneY = top + height + (LANE / 2) * dots, place = order.value.place;
  for (const row of points.lane) {
    g.fillStyle = colours[r.verdict(row)];
    mark(g, "fail", u.valToPos(place[row], "x", true), laneY, 1.5 * dots);
  }
  drawRings(u, points, colours, laneY);
  g.restore();
}

/** Origins have a ring and their name; the selected row a cross-hair. */
function drawRings(u: uPlot, points: Points, colours: Record<string, string>, laneY: number) {
  const r = run.value!, g = u.ctx, dots = devicePixelRatio, cause = r.numbers("cause"), place = order.value.place;
  const at = (row: number) => {
    const i = points.rows.indexOf(row);
    return { x: u.valToPos(place[row], "x", true), y: i < 0 ? laneY : u.valToPos(points.ys[i], "y", true) };
  };
  g.lineWidth = 1.5 * dots;
  g.font = `${11 * dots}px system-ui, sans-serif`;
  g.strokeStyle = g.fillStyle = colours.text;
  for (const row of points.rows.filter((i) => cause[i] === 1).slice(0, 50)) {
    const { x, y } = at(row);
    g.beginPath(); g.arc(x, y, 8 * dots, 0, 7); g.stroke();
    g.textAlign = x > u.bbox.left + u.bbox.width * 0.7 ? "right" : "left";
    g.fillText(isolated(r.op(row)), x + (g.textAlign === "left" ? 12 : -12) * dots, y - 8 * dots);
  }
  const row = selected.value;
  if (row === null || (points.rows.indexOf(row) < 0 && points.lane.indexOf(row) < 0)) { drawn.scatter = null; return; }
  const { x, y } = at(row);
  g.strokeStyle = colours.accent;
  g.beginPath();
  g.moveTo(x, u.bbox.top); g.lineTo(x, u.bbox.top + u.bbox.height);
  g.moveTo(u.bbox.left, y); g.lineTo(u.bbox.left + u.bbox.width, y);
  g.stroke();
  drawn.scatter = { row, name: r.name(row) };
}

/** The row nearest to a place of the plot, in pixels of the style sheet. */
function nearest(u: uPlot, points: Points, x: number, y: number): number | null {
  let best: number | null = null, distance = 14 ** 2;
  for (let i = 0; i < points.rows.length; i++) {
    const dx = u.valToPos(points.xs[i], "x") - x;
    if (Math.abs(dx) > 14) continue;
    const d = dx ** 2 + (u.valToPos(points.ys[i], "y") - y) ** 2;
    if (d < distance) { distance = d; best = points.rows[i]; }
  }
  return best;
}

function makePlot(host: HTMLElement, metric: string): uPlot {
  const points = pointsOf(metric), colours = palette(), grid = { stroke: colours.line, width: 1 };
  const axis = { stroke: colours.muted, grid, ticks: grid, font: "11px system-ui, sans-serif" };
  const plot = new uPlot({
    width: host.clientWidth, height: host.clientHeight - 4, legend: { show: false },
    scales: { x: { time: false, range: [-0.5, Math.max(1, run.value!.count - 0.5)] }, y: { distr: points.log ? 3 : 1 } },
    axes: [{ ...axis, gap: LANE + 4, size: LANE + 34, label: t("order"), labelSize: 16 }, { ...axis, size: 78, values: (_: uPlot, marks: number[]) => marks.map((v) => (v === null ? "" : short(v, 3))) }],
    series: [{}, { paths: () => null, points: { show: false } }],
    cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false } },
    hooks: {
      draw: [(u) => drawPoints(u, metric, points)],
      setSelect: [(u) => {
        if (u.select.width < 3) return;
        const [a, b] = [u.select.left, u.select.left + u.select.width].map((x) => u.posToVal(x, "x"));
        brushed.value = [Math.ceil(a), Math.floor(b)];
      }],
    },
  }, [points.xs, points.ys], host);
  plot.over.addEventListener("click", (e) => {
    const row = nearest(plot, points, e.offsetX, e.offsetY);
    if (row !== null) selected.value = row;
  });
  return plot;
}

function Plot({ metric }: { metric: string }) {
  const host = useRef<HTMLDivElement>(null), plot = useRef<uPlot | null>(null);
  const row = selected.value;
  useEffect(() => {
    const build = () => { plot.current?.destroy(); plot.current = makePlot(host.current!, metric); };
    build();
    const watch = new ResizeObserver(build);
    watch.observe(host.current!);
    return () => { watch.disconnect(); plot.current?.destroy(); };
  }, [metric, linear.value, filtered.value, dark.value, lang.value]);
  useEffect(() => { plot.current?.redraw(false); }, [row]);
  return <figure><figcaption>{metric}</figcaption><div class="plot" data-plot={metric} role="img" aria-label={metric} ref={host} /></figure>;
}

export function Scatter() {
  const all = ["margin", ...run.value!.metrics.map((m) => m.name)];
  const chosen = metrics.value.filter((m) => all.includes(m));
  const toggle = (m: string) => {
    metrics.value = chosen.includes(m) ? chosen.filter((x) => x !== m) : [...chosen, m].slice(-4);
  };
  return (
    <>
      <div class="tools">
        <details class="menu"><summary>{t("metrics")}</summary><div>
          {all.map((m) => <label key={m}><input type="checkbox" data-metric={m} checked={chosen.includes(m)} onChange={() => toggle(m)} /> {m}</label>)}
        </div></details>
        <label><input type="checkbox" data-linear checked={linear.value} onChange={(e) => { linear.value = e.currentTarget.checked; }} /> {t("linear")}</label>
        <FilterNote />
        {brushed.value && <button data-brushed onClick={() => { view.value = "table"; }}>{t("show_brushed", filtered.value.length)}</button>}
        <span class="muted">{t("scatter_help")}</span>
      </div>
      <div class="plots">{chosen.map((m) => <Plot key={m} metric={m} />)}</div>
    </>
  );
}
