import { useState } from "preact/hooks";
import { download, toCsv } from "../csv";
import { Metric } from "../data";
import { Copy, Filter, Verdict, Why } from "../parts";
import { shown } from "../rows";
import { better, scaleOf } from "../scale";
import { columns, drawn, limits, run, selected, showInvalid, sort } from "../state";
import { VirtualList } from "../virtual";
import { cell, t, word } from "../words";

const LINE = 28;

function flip(name: string) {
  const down = sort.value === `-${name}`;
  sort.value = sort.value.replace(/^-/, "") === name && down ? name : `-${name}`;
}

function Head({ name, title, wide }: { name: string; title?: string; wide?: string }) {
  const on = sort.value.replace(/^-/, "") === name;
  const way = sort.value.startsWith("-") ? "descending" : "ascending";
  return (
    <span role="columnheader" aria-sort={on ? way : undefined} class={wide ?? "number"}>
      <button data-sort={name} title={title} onClick={() => flip(name)}>
        {["name", "type", "verdict", "why", "order"].includes(name) ? t(`column_${name}` as "column_name") : name}
        {on && (way === "descending" ? " ↓" : " ↑")}
      </button>
      {wide === undefined && <Limit name={name} />}
    </span>
  );
}

/** Values beyond the limit stand out; the slider goes through the ranks. */
function Limit({ name }: { name: string }) {
  const scale = scaleOf(name), limit = limits.value[name];
  if (better(name) === "neither" || Number.isNaN(scale[0])) return <span class="limit" />;
  const off = better(name) === "larger" ? 0 : 100;
  const at = limit === undefined ? off : scale.findIndex((x) => x >= limit);
  const set = (i: number) => {
    const { [name]: _, ...rest } = limits.value;
    limits.value = i === off ? rest : { ...rest, [name]: scale[i] };
  };
  return (
    <span class="limit" title={t("limit", limit === undefined ? "–" : cell(limit))}>
      <input type="range" data-limit={name} min={0} max={100} value={at < 0 ? 100 : at} aria-label={t("limit", name)}
        onInput={(e) => set(Number(e.currentTarget.value))} />
    </span>
  );
}

function beyond(name: string, x: number): boolean {
  const limit = limits.value[name];
  if (limit === undefined || Number.isNaN(x)) return false;
  return better(name) === "larger" ? x < limit : x > limit;
}

function Line({ row, place }: { row: number; place: number }) {
  const r = run.value!, on = selected.value === row;
  return (
    <div role="row" class={on ? "line on" : "line"} aria-selected={on} aria-rowindex={place + 2} data-row={row} style={{ height: `${LINE}px` }}
      onClick={() => { selected.value = row; }}>
      <span role="gridcell" class="verdict-cell"><Verdict row={row} /></span>
      <span role="rowheader" class="name" title={r.name(row)}><bdi>{r.name(row)}</bdi></span>
      <span role="gridcell" class="type"><bdi>{r.text("type", row)}</bdi></span>
      {columns.value.map((c) => {
        const x = r.metric(c)[row];
        return <span role="gridcell" key={c} class={beyond(c, x) ? "number beyond" : "number"}>{cell(x)}</span>;
      })}
      <span role="gridcell" class="why"><Why row={row} /></span>
    </div>
  );
}

function Columns({ all }: { all: Metric[] }) {
  const toggle = (name: string) => {
    columns.value = columns.value.includes(name) ? columns.value.filter((c) => c !== name) : [...columns.value, name];
  };
  return (
    <details class="menu"><summary>{t("columns")}</summary><div>
      {[{ name: "margin", formula: t("margin_long") }, ...all].map((m) => (
        <label title={m.formula} key={m.name}><input type="checkbox" data-column={m.name}
          checked={columns.value.includes(m.name)} onChange={() => toggle(m.name)} /> {m.name}</label>))}
    </div></details>
  );
}

function Unpaired() {
  const r = run.value!, count = r.numbers("unpaired.name").length;
  return (
    <VirtualList count={count} height={LINE} label={t("unpaired", count)} class="unpaired" line={(i) => (
      <div role="row" aria-rowindex={i + 2} class="line" key={i} style={{ height: `${LINE}px` }}>
        <span role="gridcell" class="verdict-cell">{word(r.numbers("unpaired.side")[i] ? "target" : "golden")}</span>
        <span role="rowheader" class="name" title={r.text("unpaired.file", i)}><bdi>{r.text("unpaired.name", i)}</bdi></span>
        <span role="gridcell" class="type">{word(r.text("unpaired.status", i))}</span>
        <span role="gridcell" class="why"><bdi>{r.text("unpaired.why", i)}</bdi></span>
      </div>)} />
  );
}

export function Table() {
  const r = run.value!, rows = shown.value;
  const [unpaired, setUnpaired] = useState(false);
  const left = r.numbers("unpaired.name").length;
  const on = selected.value === null ? -1 : rows.indexOf(selected.value);
  drawn.table = on < 0 ? null : { row: rows[on], name: r.name(rows[on]) };
  const csv = () => toCsv(r, rows, r.metrics.map((m) => m.name));
  return (
    <>
      <div class="tools">
        <Filter />
        <label><input type="checkbox" data-invalid checked={showInvalid.value}
          onChange={(e) => { showInvalid.value = e.currentTarget.checked; }} /> {t("invalid")}</label>
        <Columns all={r.metrics} />
        <Copy text={csv} />
        <button data-csv onClick={() => download("assay.csv", csv())}>CSV</button>
        {left > 0 && <button aria-pressed={unpaired} data-unpaired onClick={() => setUnpaired(!unpaired)}>{t("unpaired", left)}</button>}
      </div>
      {unpaired ? <Unpaired /> : (
        <VirtualList count={rows.length} height={LINE} label={t("rows")} focus={on} class="rows" line={(i) => <Line key={i} row={rows[i]} place={i} />}
          header={<div class="line head" role="row">
            <Head name="verdict" wide="verdict-cell" /><Head name="name" wide="name" /><Head name="type" wide="type" />
            {columns.value.map((c) => <Head key={c} name={c} title={r.metrics.find((m) => m.name === c)?.formula} />)}
            <Head name="why" wide="why" />
          </div>} />
      )}
    </>
  );
}
