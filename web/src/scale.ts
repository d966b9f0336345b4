// Metrics as shades: by rank, so that one wild value does not grey out the rest.
import { keptPerRun } from "./data";
import { rowsBy } from "./sorting";
import { run } from "./state";

const scales = keptPerRun((r, name) => {
  const values = r.metric(name);
  const sorted = Float64Array.from(rowsBy(r, name), (row) => values[row]).filter((x) => isFinite(x));
  return Array.from({ length: 101 }, (_, i) => sorted[Math.round((sorted.length - 1) * i / 100)] ?? NaN);
});
/** 101 values of a metric from the smallest to the largest, by rank. */
export const scaleOf = (name: string): number[] => scales(run.value!, name);
export const better = (name: string) => run.value!.metrics.find((m) => m.name === name)?.better ?? "smaller";

/** How bad a value is, from 0 to 1; NaN for none. */
export function badness(name: string, x: number): number {
  if (Number.isNaN(x)) return NaN;
  const scale = scaleOf(name);
  let low = 0, high = 100;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (scale[middle] < x) low = middle + 1;
    else high = middle;
  }
  return better(name) === "larger" ? 1 - low / 100 : low / 100;
}

const SHADES = Array.from({ length: 101 }, (_, i) => `hsl(${215 - 2.1 * i} ${45 + i * 0.4}% ${62 - i * 0.12}%)`);

export function shade(name: string, row: number, colours: Record<string, string>): string {
  const r = run.value!;
  if (name === "verdict") return colours[r.verdict(row)];
  const bad = badness(name, r.metric(name)[row]);
  return Number.isNaN(bad) ? colours.line : SHADES[Math.round(bad * 100)];
}

/** Larger is worse: which of several rows a box stands for. */
export function weight(name: string, row: number): number {
  const r = run.value!;
  return name === "verdict" ? r.severity(row) : badness(name, r.metric(name)[row]) || 0;
}
