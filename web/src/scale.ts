// Metrics as shades: by rank, so that one wild value does not grey out the rest.
import { Run } from "./data";
import { run } from "./state";

const kept = new WeakMap<Run, Map<string, number[]>>();

/** 101 values of a metric from the smallest to the largest, by rank. */
export function scaleOf(name: string): number[] {
  const r = run.value!;
  if (!kept.has(r)) kept.set(r, new Map());
  const scales = kept.get(r)!;
  if (!scales.has(name)) {
    const sorted = Float64Array.from(r.metric(name)).filter((x) => isFinite(x)).sort();
    scales.set(name, Array.from({ length: 101 }, (_, i) => sorted[Math.round((sorted.length - 1) * i / 100)] ?? NaN));
  }
  return scales.get(name)!;
}
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
  if (name !== "verdict") return badness(name, r.metric(name)[row]) || 0;
  if (r.cause(row) === "origin") return 10;
  return [0, 8, 6, 1, 2, 9][r.numbers("verdict")[row]];
}
