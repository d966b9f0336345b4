// Which rows are shown, and in which order.
import { computed } from "@preact/signals";
import { Numbers, Run, VERDICTS } from "./data";
import { brushed, columns, query, regex, run, showInvalid, sort, verdicts } from "./state";

const RANK = [5, 1, 2, 4, 3, 0]; // of VERDICTS: error first, pass last

/** Rows in the order of execution, and the place of each in it. */
export const order = computed(() => {
  const r = run.value;
  if (!r) return { rows: new Uint32Array(), place: new Uint32Array() };
  const key = r.numbers("order"), step = r.numbers("step");
  const rows = Uint32Array.from({ length: r.count }, (_, i) => i);
  const known = (x: number) => (Number.isNaN(x) ? Infinity : x);
  const before = (a: Numbers, i: number, j: number) => {
    const x = known(a[i]), y = known(a[j]);
    return x === y ? 0 : x - y;
  };
  rows.sort((a, b) => before(step, a, b) || before(key, a, b) || a - b);
  const place = new Uint32Array(r.count);
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
  const verdict = r.numbers("verdict"), range = brushed.value, place = order.value.place;
  const out = new Uint32Array(r.count);
  let n = 0;
  for (let i = 0; i < r.count; i++) {
    if (wanted.size && !wanted.has(verdict[i])) continue;
    if (range && (place[i] < range[0] || place[i] > range[1])) continue;
    if (!showInvalid.value && isInvalid(r, i)) continue;
    if (match && !match(r.name(i)) && !match(r.text("type", i))) continue;
    out[n++] = i;
  }
  return out.subarray(0, n);
});

/** Rows without a value come last, whichever way. */
function byNumber(key: Numbers, down: boolean) {
  return (a: number, b: number) => {
    const x = key[a], y = key[b];
    if (x !== x) return y !== y ? a - b : 1;
    if (y !== y) return -1;
    return x === y ? a - b : (x < y) === down ? 1 : -1;
  };
}

/** Origins, then by verdict, then by how far the row is from its floor. */
function byWorst(r: Run) {
  const cause = r.numbers("cause"), far = byNumber(r.numbers("margin"), true);
  const key = Array.from(r.numbers("verdict"), (v, row) => (cause[row] === 1 ? RANK[v] - 9 : RANK[v]));
  return (a: number, b: number) => key[a] - key[b] || far(a, b);
}

/** The column's text as ranks: comparing numbers is faster. */
function textKey(r: Run, column: string): Numbers {
  const texts = r.head.texts, ids = r.numbers(column);
  const distinct = [...new Set(ids)].sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0));
  const rank = new Map(distinct.map((id, i) => [id, i]));
  return Float64Array.from(ids, (id) => rank.get(id)!);
}

export const shown = computed(() => {
  const r = run.value;
  const rows = filtered.value.slice();
  if (!r) return rows;
  const down = sort.value.startsWith("-"), name = sort.value.replace(/^-/, "");
  if (name === "worst") return rows.sort(byWorst(r));
  if (name === "order") {
    const place = order.value.place;
    return rows.sort((a, b) => (down ? place[b] - place[a] : place[a] - place[b]));
  }
  const text = ["name", "type", "why", "golden_dtype", "target_dtype", "golden_shape", "target_shape"].includes(name);
  const key = text ? textKey(r, name) : name === "verdict" ? r.numbers("verdict") : r.metric(name);
  return rows.sort(byNumber(key, down));
});
