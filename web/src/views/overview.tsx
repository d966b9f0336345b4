// The first thing to see: who made the error, how we know, what to type next.
import { Copy, Facts, RowLink, ShowCommand, Verdict, Why } from "../parts";
import { run, selected, verdicts, view } from "../state";
import { ICONS, sentence, short, t, word } from "../words";

function Suspect({ row, first }: { row: number; first: boolean }) {
  const r = run.value!, elements = r.full(row)?.row.worst ?? [];
  return (
    <li class={first ? `first ${r.verdict(row)}` : ""} onClick={() => { selected.value = row; }}>
      <div><Verdict row={row} /> <RowLink row={row} /> <span class="muted"><bdi>{r.text("type", row)}</bdi></span></div>
      <p><Why row={row} /></p>
      {first && elements.slice(0, 3).map((e) => (
        <p class="element">[{e.index.join(", ")}] {word("golden")} <b>{short(e.golden, 7)}</b> {word("target")} <b>{short(e.target, 7)}</b></p>
      ))}
      {first && <ShowCommand row={row} />}
    </li>
  );
}

function Counts() {
  const counts = run.value!.document.counts;
  const total = Math.max(1, run.value!.count);
  const all = Object.entries(counts).filter(([, n]) => n > 0);
  return (
    <div>
      <div class="stack" role="img" aria-label={all.map(([v, n]) => `${n} ${word(v)}`).join(", ")}>
        {all.map(([v, n]) => <span class={v} style={{ flexGrow: Math.max(n, total / 60) }} title={`${n} ${word(v)}`}>{ICONS[v]}</span>)}
      </div>
      <p class="counts">{all.map(([v, n]) => (
        <button class="link" onClick={() => { verdicts.value = [v]; view.value = "table"; }}>{ICONS[v]} {n} {word(v)}</button>))}</p>
    </div>
  );
}

function Coverage({ side }: { side: "golden" | "target" }) {
  const cover = run.value!.document.coverage[side];
  const rest = (["unpaired", "skipped", "error"] as const).filter((k) => cover[k] > 0).map((k) => `${cover[k]} ${word(k)}`);
  return (
    <span>{t("covered", cover.compared, cover.total)}{rest.length > 0 && <>, {rest.join(", ")}</>}
      <meter min={0} max={cover.total || 1} value={cover.compared} aria-label={t("coverage")} /></span>
  );
}

function Provenance() {
  const { sources, pairing, run: made, exit } = run.value!.document;
  const label = (s: typeof sources.golden) => <bdi>{s.source} ({[s.kind, s.graph].filter(Boolean).join(", ")})</bdi>;
  const argv = ["assay compare", ...made.argv].join(" ");
  return (
    <Facts rows={[
      [word("golden"), label(sources.golden)], [t("coverage"), <Coverage side="golden" />],
      [word("target"), label(sources.target)], [t("coverage"), <Coverage side="target" />],
      ...(sources.noise ? [[t("noise"), label(sources.noise)] as [string, preact.ComponentChild]] : []),
      [t("pairing"), <bdi>{pairing.strategy}: {pairing.why}</bdi>],
      [t("exit"), exit],
      [t("made_by"), t("made", made.tool, made.started, short(made.seconds, 3), made.threads, made.simd ?? "–")],
      [t("options"), <><code class="argv">{argv}</code> <Copy text={() => argv} /></>],
    ]} />
  );
}

export function Overview() {
  const { head, document: doc } = run.value!;
  return (
    <div class="reading">
      <h1 class={doc.verdict}><span aria-hidden="true">{ICONS[doc.verdict]}</span> <bdi>{sentence(head.headline)}</bdi></h1>
      {head.suspects.length === 0 && <p class="muted">{t("nothing_bad")}</p>}
      {head.suspects.length > 0 && <>
        <h2>{doc.origins.length > 0 ? t("origins") : t("suspects")}</h2>
        <ol class="suspects">{head.suspects.slice(0, 5).map((row, i) => <Suspect key={row} row={row} first={i === 0} />)}</ol>
      </>}
      {doc.findings.length > 0 && <>
        <h2>{t("view_advice")}</h2>
        <ul class="short">{doc.findings.slice(0, 3).map((f) => (
          <li><b>{f.rule}</b> <bdi>{sentence(f.text)}</bdi></li>))}</ul>
        <button class="link" onClick={() => { view.value = "advice"; }}>{t("all_advice", doc.findings.length)}</button>
      </>}
      <h2>{t("rows")}</h2><Counts />
      <h2>{t("provenance")}</h2><Provenance />
    </div>
  );
}
