// Which rows are shown, and in which order.
import { computed } from "@preact/signals";
import { Run, VERDICTS } from "./data";
import { rowsBy } from "./sorting";
import { brushed, columns, query, regex, run, showInvalid, sort, verdicts } from "./state";

/** Rows in the order of execution, and the place of each in it. */
export const order = computed(() => {
  const rows = run.value ? rowsBy(run.value, "order") : new Uint32Array();
  const place = new Uint32Array(rows.length);
  rows.forEach((row, i) => { place[row] = i; });
  return { rows, place };
});

function matcher(): ((name: string) => boolean) | null {
  const q = query.value;
  if (!q) return null;
  if (!regex.value) {
    const low = q.toLowerCase();
    return (name) => name.toLowerCase().includes(low);
  }
  try {
    const re = new RegExp(q, "i");
    return (name) => re.test(name);
  } catch {
    return () => false;
  }
}
export const badRegex = computed(() => {
  if (!regex.value) return "";
  try { new RegExp(query.value); return ""; } catch (e) { return (e as Error).message; }
});

const isInvalid = (r: Run, row: number) => {
  const v = r.verdict(row);
  return v === "error" || v === "skipped" || columns.value.every((c) => Number.isNaN(r.metric(c)[row]));
};

export const filtered = computed(() => {
  const r = run.value;
  if (!r) return new Uint32Array();
  const match = matcher(), wanted = new Set(verdicts.value.map((v) => VERDICTS.indexOf(v as never)));
  const verdict = r.numbers("verdict"), range = brushed.value;
  const place = range ? order.value.place : null;
  const out = new Uint32Array(r.count);
  let n = 0;
  for (let i = 0; i < r.count; i++) {
    if (wanted.size && !wanted.has(verdict[i])) continue;
    if (range && (place![i] < range[0] || place![i] > range[1])) continue;
    if (!showInvalid.value && isInvalid(r, i)) continue;
    if (match && !match(r.name(i)) && !match(r.text("type", i))) continue;
    out[n++] = i;
  }
  return out.subarray(0, n);
});

/** The rows that passed the filter, in the order of all rows. */
export function filteredIn(all: Uint32Array): Uint32Array {
  const wanted = new Uint8Array(all.length);
  for (const row of filtered.value) wanted[row] = 1;
  return all.filter((row) => wanted[row]);
}

export const shown = computed(() => (run.value ? filteredIn(rowsBy(run.value, sort.value)) : filtered.value));
