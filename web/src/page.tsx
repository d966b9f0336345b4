import { computed, effect } from "@preact/signals";
import { render } from "preact";
import { embeddedRun } from "./data";
import { onKey } from "./keys";
import { Lens } from "./lens";
import { isLive, listRuns, loadRun, runs } from "./server";
import { followAddress, lang, run, runNumber, selected, theme, trouble, View, view } from "./state";
import "./style.css";
import { Advice } from "./views/advice";
import { Model } from "./views/model";
import { NewRun } from "./views/new_run";
import { Overview } from "./views/overview";
import { Scatter } from "./views/scatter";
import { hasSteps, Steps } from "./views/steps";
import { Table } from "./views/table";
import { ICONS, sentence, t, word } from "./words";

const PANES = { overview: Overview, table: Table, scatter: Scatter, model: Model, steps: Steps, advice: Advice, new: NewRun };

const tabs = computed<View[]>(() => {
  const withRun: View[] = ["overview", "table", "scatter", "model", ...(hasSteps.value ? ["steps" as View] : []), "advice"];
  return [...(run.value ? withRun : []), ...(isLive ? ["new" as View] : [])];
});

function Tabs() {
  return (
    <nav aria-label={t("views")}>
      {tabs.value.map((name, i) => (
        <button key={name} data-view={name} aria-current={view.value === name ? "page" : undefined}
          title={`${i + 1}`} onClick={() => { view.value = name; }}>
          {t(`view_${name}`)}
          {name === "advice" && run.value!.document.findings.length > 0 &&
            <span class="count">{run.value!.document.findings.length}</span>}
        </button>
      ))}
    </nav>
  );
}

function RunChoice() {
  if (!isLive || runs.value.length < 2) return null;
  return (
    <select aria-label={t("run")} value={runNumber.value}
      onChange={(e) => { selected.value = null; runNumber.value = Number(e.currentTarget.value); }}>
      {runs.value.map((entry, i) => <option key={i} value={i}>{ICONS[entry.verdict]} {entry.name}</option>)}
    </select>
  );
}

function TopBar() {
  const verdict = run.value?.document.verdict;
  const next = { auto: "dark", dark: "light", light: "auto" } as const;
  return (
    <header>
      <strong class="logo">assay</strong>
      {verdict && <span class={`badge ${verdict}`}>{ICONS[verdict]} {word(verdict)}</span>}
      <RunChoice />
      <Tabs />
      <span class="space" />
      <button class="quiet" onClick={() => { theme.value = next[theme.value]; }}>{t(`theme_${theme.value}`)}</button>
      <button class="quiet" data-lang onClick={() => { lang.value = lang.value === "en" ? "zh" : "en"; }}>
        {lang.value === "en" ? "中文" : "English"}
      </button>
    </header>
  );
}

function Page() {
  const Pane = PANES[view.value];
  const usable = run.value || view.value === "new";
  return (
    <>
      <TopBar />
      {trouble.value && <p class="trouble" role="alert">{trouble.value}</p>}
      <main class={selected.value !== null && run.value && view.value !== "new" ? "with-lens" : ""}>
        <section class={`pane ${view.value}`}>{usable ? <Pane /> : <p class="wait">{t("loading")}</p>}</section>
        {selected.value !== null && run.value && view.value !== "new" && <Lens />}
      </main>
    </>
  );
}

/** The run that the address names, from the server. */
function followRun() {
  effect(() => {
    const number = runNumber.value;
    if (!runs.value[number]) return;
    loadRun(number).then((r) => { run.value = r; }, (e) => { trouble.value = String(e.message); });
  });
}

async function start() {
  followAddress();
  effect(() => { document.documentElement.dataset.theme = theme.value; });
  effect(() => { document.documentElement.lang = lang.value; });
  addEventListener("keydown", onKey(() => tabs.value));
  render(<Page />, document.getElementById("page")!);
  try {
    if (!isLive) {
      run.value = await embeddedRun();
    } else {
      await listRuns();
      if (runs.value.length === 0) view.value = "new";
      followRun();
    }
  } catch (error) {
    trouble.value = String((error as Error).message);
  }
  effect(() => {
    const r = run.value;
    if (r && selected.value !== null && selected.value >= r.count) selected.value = null;
    if (r) document.title = `${ICONS[r.document.verdict]} ${sentence(r.head.headline)} · assay`;
  });
}

void start();
