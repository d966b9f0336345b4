// One row under the lens. A report file has the worst rows in it; from the
// server every row is read again from the dump.
import { useEffect, useState } from "preact/hooks";
import { Cumulative, Distributions, ErrorHistogram } from "./charts";
import { Element, Full, Side } from "./data";
import { nodeOf } from "./graph";
import { Facts, RowLink, ShowCommand, Verdict, Why } from "./parts";
import { isLive, lens } from "./server";
import { run, runNumber, selected } from "./state";
import { cell, short, t, word } from "./words";

function useFull(row: number): [Full | undefined, string] {
  const saved = run.value!.full(row);
  const wanted = `${runNumber.value}/${row}`;
  const [live, setLive] = useState<{ of: string; full?: Full; trouble: string }>({ of: "", trouble: "" });
  useEffect(() => {
    if (!isLive) return;
    lens(runNumber.value, row).then((full) => setLive({ of: wanted, full, trouble: "" }),
      (e) => setLive({ of: wanted, trouble: String(e.message) }));
  }, [wanted]);
  return live.of === wanted ? [live.full ?? saved, live.trouble] : [saved, ""];
}

function Tensors({ row, full }: { row: number; full?: Full }) {
  const r = run.value!;
  const line = (side: Side) => {
    const parts = full?.row[side];
    if (!parts?.length) return <bdi>{r.text(`${side}_dtype`, row)} {r.text(`${side}_shape`, row)} {r.text(`${side}_file`, row)}</bdi>;
    return <>{parts.map((o) => <div><b>{o.dtype}</b> [{o.shape.join(", ")}] {o.layout !== "ND" && o.layout} <bdi class="muted">{o.file} {o.tensor}</bdi></div>)}</>;
  };
  return <Facts rows={[[word("golden"), line("golden")], [word("target"), line("target")],
    [t("pairing"), <bdi>{r.text("why_paired", row)}</bdi>],
    ...(full?.row.steps ?? []).map((s): [string, preact.ComponentChild] => ["", s])]} />;
}

const STATISTICS = ["min", "max", "mean", "std", "l2", "nan", "inf"];
function Statistics({ row }: { row: number }) {
  const r = run.value!;
  const value = (name: string) => (r.has(`metric.${name}`) ? cell(r.metric(name)[row]) : "–");
  return (
    <table><thead><tr><th /><th>{word("golden")}</th><th>{word("target")}</th></tr></thead>
      <tbody>{STATISTICS.map((s) => <tr key={s}><th>{s}</th><td>{value(`${s}_golden`)}</td><td>{value(`${s}_target`)}</td></tr>)}</tbody></table>
  );
}

function Metrics({ row }: { row: number }) {
  const r = run.value!;
  const shownHere = r.metrics.filter((m) => !/_(golden|target)$/.test(m.name));
  return <table><tbody>{shownHere.map((m) => <tr key={m.name} title={m.formula}><th>{m.name}</th><td>{cell(r.metric(m.name)[row])}</td></tr>)}</tbody></table>;
}

function relative(e: Element): number { return Math.abs(Number(e.target) - Number(e.golden)) / Math.abs(Number(e.golden)); }
function Elements({ absolute, other }: { absolute: Element[]; other: Element[] }) {
  const [byRelative, choose] = useState(false);
  const list = byRelative ? other : absolute;
  if (absolute.length + other.length === 0) return null;
  return (
    <>
      <h3>{t("worst_elements")}
        {other.length > 0 && <span class="switch">
          <button aria-pressed={!byRelative} onClick={() => choose(false)}>{t("absolute")}</button>
          <button aria-pressed={byRelative} data-relative onClick={() => choose(true)}>{t("relative")}</button></span>}</h3>
      <table class="elements"><thead><tr><th>{t("at")}</th><th>{word("golden")}</th><th>{word("target")}</th><th>|t−g|</th><th>|t−g|/|g|</th></tr></thead>
        <tbody>{list.map((e) => <tr><th>[{e.index.join(", ")}]</th><td>{short(e.golden, 7)}</td><td>{short(e.target, 7)}</td>
          <td>{short(Math.abs(Number(e.target) - Number(e.golden)))}</td><td>{short(relative(e))}</td></tr>)}</tbody></table>
    </>
  );
}

function Attributes({ row }: { row: number }) {
  const r = run.value!;
  const found = (["golden", "target"] as Side[]).flatMap((side) => {
    const attrs = r.head.graphs[side]?.attrs[nodeOf(r, side, row)];
    return attrs ? Object.entries(attrs).map(([k, v]): [string, preact.ComponentChild] => [k, <bdi>{v}</bdi>]) : [];
  });
  if (found.length === 0) return null;
  return <details><summary>{t("attributes", found.length)}</summary><Facts rows={found} /></details>;
}

function Siblings({ row }: { row: number }) {
  const r = run.value!, op = r.numbers("op"), same: number[] = [];
  for (let i = 0; i < r.count && same.length < 30; i++) if (op[i] === op[row] && i !== row) same.push(i);
  if (same.length === 0) return null;
  return <details><summary>{t("same_operator", same.length)}</summary>{same.map((i) => <div key={i}><Verdict row={i} /> <RowLink row={i} /></div>)}</details>;
}

export function Lens() {
  const r = run.value!, row = selected.value!, [full, trouble] = useFull(row);
  const detail = full?.detail, likeness = full?.row.likeness, error = full?.row.error;
  const level = r.text("floor_level", row);
  return (
    <aside class="lens" data-lens={row} aria-label={t("lens")}>
      <button class="close quiet" aria-label={t("close")} onClick={() => { selected.value = null; }}>✕</button>
      <h2><bdi>{r.name(row)}</bdi></h2>
      <p><Verdict row={row} /> <span class="muted"><bdi>{r.text("type", row)}</bdi></span></p>
      <p><Why row={row} /></p>
      {level && <p class="muted">{t("floor_line", level, cell(r.numbers("floor")[row]), cell(r.numbers("margin")[row]))}</p>}
      {likeness && <p>{t("likeness", likeness.kind, likeness.other, short(likeness.rel_l2))}</p>}
      {error && <pre>{error.what}{"\n"}{error.where}{"\n"}{error.hint}</pre>}
      <Tensors row={row} full={full} />
      {trouble && <p class="muted">{t("not_live", trouble)}</p>}
      <Elements absolute={detail?.absolute ?? full?.row.worst ?? []} other={detail?.relative ?? []} />
      {detail && <>
        <ErrorHistogram detail={detail} /><Distributions detail={detail} /><Cumulative detail={detail} />
        <p class="muted">{t("max_ulp", short(detail.max_ulp))}</p></>}
      {!detail && !isLive && <p class="muted">{t("not_precomputed")}</p>}
      <h3>{t("statistics")}</h3><Statistics row={row} />
      <h3>{t("metrics")}</h3><Metrics row={row} />
      {full?.row.legacy && Object.entries(full.row.legacy).map(([tool, cells]) => <>
        <h3>{tool}</h3><Facts rows={Object.entries(cells)} /></>)}
      <Attributes row={row} /><Siblings row={row} />
      <ShowCommand row={row} more=" --worst 20" />
    </aside>
  );
}
