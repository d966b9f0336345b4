import { computed, effect } from "@preact/signals";
import { render } from "preact";
import { onKey } from "./keys";
import { Lens } from "./lens";
import { embeddedRun } from "./packed";
import { isLive, listRuns, loadRun, runs } from "./server";
import { dark, followAddress, lang, run, runNumber, selected, theme, trouble, View, view } from "./state";
import "./style.css";
import { Advice } from "./views/advice";
import { Model } from "./views/model";
import { NewRun } from "./views/new_run";
import { Overview } from "./views/overview";
import { Scatter } from "./views/scatter";
import { hasSteps, Steps } from "./views/steps";
import { Table } from "./views/table";
import { ICONS, isolated, sentence, t, word } from "./words";

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
      {runs.value.map((entry, i) => <option key={i} value={i}>{ICONS[entry.verdict]} {isolated(entry.name)}</option>)}
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
  const name = view.value === "new" && !isLive ? "overview" : view.value, Pane = PANES[name];
  const lens = selected.value !== null && run.value && name !== "new";
  return (
    <>
      <TopBar />
      {trouble.value && <p class="trouble" role="alert">{trouble.value}</p>}
      <main class={lens ? "with-lens" : ""}>
        <section class={`pane ${name}`}>
          {run.value || name === "new" ? <Pane /> : !trouble.value && <p class="wait">{t("loading")}</p>}
        </section>
        {lens && <Lens />}
      </main>
    </>
  );
}

/** The run that the address names, from the server; one that comes too late is dropped. */
function followRun() {
  const chosen = computed(() => (runs.value[runNumber.value] ? runNumber.value : null));
  effect(() => {
    const number = chosen.value;
    if (number === null) return;
    const when = (then: () => void) => () => { if (chosen.peek() === number) then(); };
    loadRun(number).then((r) => when(() => { run.value = r; trouble.value = ""; })(),
      (e) => when(() => { trouble.value = String(e.message); })());
  });
}

async function start() {
  followAddress();
  effect(() => { document.documentElement.dataset.theme = dark.value ? "dark" : "light"; });
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
    if (r) document.title = `${ICONS[r.document.verdict]} ${isolated(sentence(r.head.headline))} · assay`;
  });
}

void start();
