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

const pattern = computed(() => {
  try { return { re: regex.value ? new RegExp(query.value, "i") : null, error: "" }; } catch (e) { return { re: null, error: (e as Error).message }; }
});
export const badRegex = computed(() => pattern.value.error);

function matcher(): ((name: string) => boolean) | null {
  const { re, error } = pattern.value, low = query.value.toLowerCase();
  if (error) return () => false;
  if (!low) return null;
  return re ? (name) => re.test(name) : (name) => name.toLowerCase().includes(low);
}
export function showAll() {
  query.value = "";
  verdicts.value = [];
  brushed.value = null;
  showInvalid.value = true;
}

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
