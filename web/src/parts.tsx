// Small pieces that several views share.
import { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { VERDICTS } from "./data";
import { badRegex, filtered, showAll } from "./rows";
import { brushed, colour, query, regex, run, selected, verdicts } from "./state";
import { ICONS, sentence, t, word } from "./words";

export function Verdict({ row }: { row: number }) {
  const r = run.value!, verdict = r.verdict(row), cause = r.cause(row);
  return (
    <span class={`verdict ${verdict}`}>
      <b aria-hidden="true">{ICONS[verdict]}</b> {word(verdict)}{cause === "origin" && <em> {word("origin")}</em>}
    </span>
  );
}

/** Why the row has its verdict; errors stay as they were reported. */
export function Why({ row }: { row: number }) {
  const why = run.value!.text("why", row);
  return <bdi>{run.value!.verdict(row) === "error" ? why : sentence(why)}</bdi>;
}

/** A name that selects its row. Names are text, whatever is in them. */
export function RowLink({ row }: { row: number }) {
  return <button class="link" onClick={() => { selected.value = row; }}><bdi>{run.value!.name(row)}</bdi></button>;
}

/** Says whether it worked: browsers may refuse. */
export function Copy({ text }: { text: () => string }) {
  const [said, say] = useState<"copy" | "copied" | "not_copied">("copy");
  const tell = (word: "copied" | "not_copied") => { say(word); setTimeout(() => say("copy"), 1500); };
  const copy = async () => {
    try { await navigator.clipboard.writeText(text()); tell("copied"); } catch { tell("not_copied"); }
  };
  return <button class="quiet" data-copy onClick={copy} aria-live="polite">{t(said)}</button>;
}

export function Command({ line }: { line: string }) {
  return <p class="command"><code>{line}</code><Copy text={() => line} /></p>;
}

/** The command that shows a row of a saved run. */
export function ShowCommand({ row, more = "" }: { row: number; more?: string }) {
  return <Command line={`assay show run.assay '${run.value!.name(row).replaceAll("'", `'\\''`)}'${more}`} />;
}

export function Facts({ rows }: { rows: [string, ComponentChildren][] }) {
  return <dl>{rows.map(([label, value]) => <><dt>{label}</dt><dd>{value}</dd></>)}</dl>;
}

export function Filter() {
  const r = run.value!;
  const toggle = (v: string) => {
    verdicts.value = verdicts.value.includes(v) ? verdicts.value.filter((x) => x !== v) : [...verdicts.value, v];
  };
  return (
    <>
      <input type="search" placeholder={t("filter")} aria-label={t("filter")} value={query.value}
        class={badRegex.value ? "bad" : ""} title={badRegex.value} onInput={(e) => { query.value = e.currentTarget.value; }} />
      <label title={t("regex_long")}><input type="checkbox" data-regex checked={regex.value}
        onChange={(e) => { regex.value = e.currentTarget.checked; }} /> .*</label>
      <span class="chips" role="group" aria-label={t("verdict")}>
        {VERDICTS.filter((v) => r.document.counts[v] > 0).map((v) => (
          <button key={v} data-verdict={v} class={`chip ${v}`} aria-pressed={verdicts.value.includes(v)} onClick={() => toggle(v)}>
            {ICONS[v]} {word(v)} {r.document.counts[v]}
          </button>
        ))}
      </span>
      {brushed.value && <button class="chip" onClick={() => { brushed.value = null; }}>{t("brushed")} ✕</button>}
      <span class="muted" data-shown={filtered.value.length}>{t("rows_shown", filtered.value.length, r.count)}</span>
    </>
  );
}

/** In views that show only rows which passed the table's filter. */
export function FilterNote() {
  const r = run.value!;
  if (filtered.value.length === r.count) return null;
  return <button class="chip" data-unfilter title={t("unfilter")} onClick={showAll}>{t("rows_shown", filtered.value.length, r.count)} ✕</button>;
}

export function ColourChoice() {
  return (
    <label>{t("colour")} <select data-colour value={colour.value} onChange={(e) => { colour.value = e.currentTarget.value; }}>
      <option value="verdict">{t("verdict")}</option>
      {["margin", ...run.value!.metrics.map((m) => m.name)].map((m) => <option key={m} value={m}>{m}</option>)}
    </select></label>
  );
}

/** A canvas that follows its box's size; `draw` is called in pixels of the screen. */
export function useCanvas(draw: (g: CanvasRenderingContext2D, width: number, height: number) => void, needs: unknown[]) {
  const ref = useRef<HTMLCanvasElement>(null);
  const latest = useRef(draw);
  latest.current = draw;
  const paint = useRef(() => {});
  useEffect(() => {
    const canvas = ref.current!, g = canvas.getContext("2d")!;
    let due = 0;
    const now = () => {
      due = 0;
      const box = canvas.getBoundingClientRect(), dots = devicePixelRatio;
      const w = Math.round(box.width * dots), h = Math.round(box.height * dots);
      if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
      g.setTransform(dots, 0, 0, dots, 0, 0);
      latest.current(g, box.width, box.height);
    };
    paint.current = () => { due ||= requestAnimationFrame(now); };
    const watch = new ResizeObserver(paint.current);
    watch.observe(canvas);
    return () => { watch.disconnect(); cancelAnimationFrame(due); };
  }, []);
  useEffect(() => paint.current(), needs);
  return { ref, repaint: () => paint.current() };
}

/** The colours of the style sheet, for canvases. */
export function palette(): Record<string, string> {
  const style = getComputedStyle(document.documentElement);
  const names = ["bg", "panel", "line", "text", "muted", "accent", ...VERDICTS];
  return Object.fromEntries(names.map((n) => [n, style.getPropertyValue(`--${n}`).trim()]));
}
