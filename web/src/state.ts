// What the user chose. All of it stands in the address, so that a link brings
// a colleague to the same place; what was drawn is kept for tests.
import { computed, effect, signal } from "@preact/signals";
import { Run, VERDICTS } from "./data";

export const VIEWS = ["overview", "table", "scatter", "model", "steps", "advice", "new"] as const;
export type View = (typeof VIEWS)[number];

export const run = signal<Run | null>(null);
export const runNumber = signal(0);
export const trouble = signal("");
export const view = signal<View>("overview");
export const selected = signal<number | null>(null);
export const query = signal("");
export const regex = signal(false);
export const verdicts = signal<string[]>([]); // none: all
export const showInvalid = signal(true);
export const sort = signal("worst"); // "-rel_l2": largest first
export const columns = signal<string[]>(["cosine", "rel_l2", "max_abs", "margin"]);
export const limits = signal<Record<string, number>>({});
export const metrics = signal<string[]>(["rel_l2", "cosine_distance"]); // of the scatter
export const linear = signal(false);
export const brushed = signal<[number, number] | null>(null); // places in the order of execution
export const colour = signal("verdict"); // of the graphs and the heat map
export const depth = signal(0); // to which name scopes are folded; 0: not
export const opened = signal<string[]>([]); // scopes that are not folded
export const zoom = signal<Record<string, string>>({}); // of each graph: "x,y,scale"
export const lang = signal<"en" | "zh">(navigator.language.startsWith("zh") ? "zh" : "en");
export const theme = signal<"auto" | "dark" | "light">("auto");
const system = matchMedia("(prefers-color-scheme: dark)"), systemDark = signal(system.matches);
system.addEventListener("change", () => { systemDark.value = system.matches; });
export const dark = computed(() => (theme.value === "auto" ? systemDark.value : theme.value === "dark"));

type Entry = [string, { value: unknown }, (text: string) => unknown, (value: never) => string];
const text = (t: string) => t;
const list = (t: string) => t.split(",").filter(Boolean);
const join = (l: string[]) => l.join(",");
const decoded = (t: string) => { try { return decodeURIComponent(t); } catch { return t; } };
const whole = (t: string) => (/^\d+$/.test(t) ? Number(t) : 0);
const flag = (t: string) => t === "1";
const bit = (b: boolean) => (b ? "1" : "0");
const pairs = (t: string) => Object.fromEntries(list(t.replaceAll(";", ",")).map((p) => p.split(":")));
const entry = <T>(key: string, s: { value: T }, read: (t: string) => T, write: (v: T) => string) =>
  [key, s, read, write] as unknown as Entry;

const ENTRIES: Entry[] = [
  entry("run", runNumber, whole, String),
  entry("view", view, (t) => (VIEWS as readonly string[]).includes(t) ? (t as View) : "overview", String),
  entry("row", selected, (t) => (/^\d+$/.test(t) ? Number(t) : null), (v) => (v === null ? "" : String(v))),
  entry("q", query, text, text),
  entry("re", regex, flag, bit),
  entry("v", verdicts, (t) => list(t).filter((v) => (VERDICTS as readonly string[]).includes(v)), join),
  entry("invalid", showInvalid, flag, bit),
  entry("sort", sort, text, text),
  entry("cols", columns, list, join),
  entry("limits", limits, (t) => Object.fromEntries(Object.entries(pairs(t)).map(([k, v]) => [k, Number(v)])),
    (v) => Object.entries(v).map(([k, x]) => `${k}:${x}`).join(";")),
  entry("y", metrics, list, join),
  entry("linear", linear, flag, bit),
  entry("brush", brushed, (t) => { const [a, b] = list(t).map(Number); return b === undefined ? null : [a, b]; },
    (v) => (v ? v.join(",") : "")),
  entry("colour", colour, text, text),
  entry("fold", depth, whole, String),
  entry("open", opened, (t) => list(t).map(decoded), (v) => join(v.map(encodeURIComponent))),
  entry("zoom", zoom, (t) => Object.fromEntries(t.split(";").filter(Boolean).map((p) => p.split(":"))),
    (v) => Object.entries(v).map(([k, x]) => `${k}:${x}`).join(";")),
  entry("lang", lang, (t) => (t === "zh" ? "zh" : "en"), text),
  entry("theme", theme, (t) => (t === "dark" || t === "light" ? t : "auto"), text),
];
const defaults = ENTRIES.map(([, s, , write]) => write(s.value as never));

export function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  ENTRIES.forEach(([key, s, read], i) => { s.value = read(given.get(key) ?? defaults[i]); });
}

function writeAddress() {
  const out = new URLSearchParams();
  ENTRIES.forEach(([key, s, , write], i) => {
    const value = write(s.value as never);
    if (value !== defaults[i]) out.set(key, value);
  });
  const hash = out.toString();
  if (hash !== location.hash.slice(1)) history.replaceState(null, "", `#${hash}`);
}

export function followAddress() {
  readAddress();
  addEventListener("hashchange", readAddress);
  let due = 0;
  effect(() => {
    for (const [, s] of ENTRIES) void s.value;
    clearTimeout(due);
    due = window.setTimeout(writeAddress, 50); // not at every frame of a drag
  });
}

/** The operator that each view marks, as it drew it. */
export const drawn: Record<string, { row?: number; name: string } | null> = {};

const state = computed(() => {
  const r = run.value, row = selected.value;
  return { view: view.value, row, name: r && row !== null ? r.name(row) : null,
    op: r && row !== null ? r.op(row) : null, lang: lang.value, rows: r?.count ?? 0 };
});
Object.assign(window, { assay: { get state() { return { ...state.value, drawn: { ...drawn } }; } } });
