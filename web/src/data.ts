// The run as the program sends it: columns of numbers (PageColumns in
// src/reports), decoded once, read everywhere.

export const VERDICTS = ["pass", "fail", "unsure", "trivial", "skipped", "error"] as const;
const SEVERITY = [0, 4, 3, 1, 2, 5]; // of VERDICTS
export const CAUSES = ["", "origin", "inherited", "unknown"] as const;
export type Numbers = Uint8Array | Uint32Array | Float32Array | Float64Array;
export type Side = "golden" | "target";

export interface Element { index: number[]; golden: number | string; target: number | string }
export interface Detail {
  max_ulp: number; zero: number; not_finite: number; first_decade: number; decades: number[];
  low: number; high: number; golden: number[]; target: number[]; profile: (number | string)[];
  absolute: Element[]; relative: Element[];
}
export interface Operand { file: string; tensor: string; dtype: string; shape: number[]; layout: string }
export interface FullRow {
  golden: Operand[]; target: Operand[]; steps: string[]; why_paired: string | null;
  metrics: Record<string, number | string | null>; worst: Element[];
  likeness?: { kind: string; other: string; rel_l2: number };
  legacy?: Record<string, Record<string, string>>;
  error?: { code: string; what: string; where: string | null; hint: string | null };
}
export interface Full { row: FullRow; detail?: Detail }
export interface Finding {
  rule: string; rank: number; where: string; text: string; next: string | null;
  evidence: Record<string, string>;
}
interface Coverage { total: number; compared: number; unpaired: number; skipped: number; error: number }
interface Source { source: string; kind: string; graph: string | null }
export interface Document {
  verdict: string; exit: number; why?: string; origins: string[]; counts: Record<string, number>;
  coverage: { pairs: number; golden: Coverage; target: Coverage };
  sources: { golden: Source; target: Source; noise: Source | null };
  pairing: { strategy: string | null; why: string | null };
  findings: Finding[];
  run: { tool: string; started: string; seconds: number; threads: number; simd: string | null; argv: string[] };
}
export interface Metric { name: string; formula: string; better: "smaller" | "larger" | "neither" }
export interface GraphInfo {
  file: string; depths: number[]; originals: Record<string, string[]>;
  attrs: Record<string, Record<string, string>>;
}
interface Head {
  document: Document; rows: number; headline: string; suspects: number[]; metrics: Metric[];
  full: Record<string, Full>;
  graphs: Record<Side, GraphInfo | null>;
  columns: Record<string, { type: string; count: number; at: number }>; texts: string[];
}

const TYPES = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };

/** Values stand plane by plane: all first bytes, then all second ones. */
function fromPlanes(bytes: Uint8Array, type: keyof typeof TYPES, count: number): Numbers {
  const size = TYPES[type].BYTES_PER_ELEMENT;
  if (size === 1) return bytes;
  const joined = new Uint8Array(count * size);
  for (let plane = 0; plane < size; plane++) {
    for (let i = 0, at = plane; i < count; i++, at += size) joined[at] = bytes[plane * count + i];
  }
  return new TYPES[type](joined.buffer);
}

export class Run {
  readonly count: number;
  private columns = new Map<string, Numbers>();

  constructor(readonly head: Head, private bytes: Uint8Array) {
    this.count = head.rows;
  }

  get document() { return this.head.document; }
  get metrics() { return this.head.metrics; }

  numbers(name: string): Numbers {
    let column = this.columns.get(name);
    if (!column) {
      const { type, count, at } = this.head.columns[name] ?? { type: "u8", count: 0, at: 0 };
      const kind = type as keyof typeof TYPES;
      const size = count * TYPES[kind].BYTES_PER_ELEMENT;
      column = fromPlanes(this.bytes.subarray(at, at + size), kind, count);
      this.columns.set(name, column);
    }
    return column;
  }
  metric(name: string): Numbers { return this.numbers(name === "margin" ? name : `metric.${name}`); }
  text(column: string, row: number): string { return this.head.texts[this.numbers(column)[row]] ?? ""; }
  name(row: number) { return this.text("name", row); }
  op(row: number) { return this.text("op", row); }
  verdict(row: number) { return VERDICTS[this.numbers("verdict")[row]]; }
  /** By its verdict; whoever makes the error is worse than all others. */
  severity(row: number) { return SEVERITY[this.numbers("verdict")[row]] + (this.numbers("cause")[row] === 1 ? SEVERITY.length : 0); }
  cause(row: number) { return CAUSES[this.numbers("cause")[row]]; }
  full(row: number): Full | undefined { return this.head.full[row]; }
  has(column: string) { return column in this.head.columns; }
}

/** What is computed once for a run and a name. */
export function keptPerRun<T>(make: (r: Run, name: string) => T) {
  const kept = new WeakMap<Run, Map<string, T>>();
  return (r: Run, name: string): T => {
    const known = kept.get(r) ?? new Map<string, T>();
    kept.set(r, known);
    if (!known.has(name)) known.set(name, make(r, name));
    return known.get(name)!;
  };
}

export function decode(bytes: ArrayBuffer): Run {
  const length = new DataView(bytes).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  return new Run(head, new Uint8Array(bytes, 4 + length));
}
