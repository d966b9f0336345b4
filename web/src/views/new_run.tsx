// A comparison started from the page (only with `assay serve`).
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { cancelJob, files, Job, job, listRuns, Setup, setup, startCompare } from "../server";
import { runNumber, selected, trouble, view } from "../state";
import { t, word } from "../words";

const FIELDS = ["golden", "target", "graph", "golden_graph", "noise"] as const;

function PathField({ name, value, set }: { name: string; value: string; set: (v: string) => void }) {
  const found = useSignal<string[]>([]);
  const look = (text: string) => {
    set(text);
    const folder = text.slice(0, text.lastIndexOf("/") + 1);
    files(folder).then((f) => { found.value = f.entries.map((e) => folder + e); }, () => { found.value = []; });
  };
  return (
    <label class="field"><span>{name === "golden" || name === "target" ? word(name) : t(`field_${name}` as "field_graph")}</span>
      <input name={name} value={value} list={`paths-${name}`} required={name === "golden" || name === "target"} autocomplete="off"
        spellcheck={false} onInput={(e) => look(e.currentTarget.value)} onFocus={(e) => look(e.currentTarget.value)} />
      <datalist id={`paths-${name}`}>{found.value.map((f) => <option key={f} value={f} />)}</datalist></label>
  );
}

/** Asks the server until the job has ended. */
async function follow(number: number, tell: (j: Job) => void) {
  for (;;) {
    const now = await job(number);
    tell(now);
    if (now.state !== "running") return now;
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

export function NewRun() {
  const form = useSignal<Record<string, string>>({}), asked = useSignal<string[] | null>(null), advisor = useSignal(true);
  const known = useSignal<Setup | null>(null), running = useSignal<number | null>(null), state = useSignal<Job | null>(null);
  useEffect(() => { setup().then((s) => { known.value = s; }, (e) => { trouble.value = e.message; }); }, []);
  const metrics = asked.value ?? known.value?.metrics.filter((m) => m.asked).map((m) => m.name) ?? [];
  const start = async (event: Event) => {
    event.preventDefault();
    trouble.value = "";
    try {
      running.value = (await startCompare({ ...form.value, metrics, advisor: advisor.value })).job;
      const end = await follow(running.value, (j) => { state.value = j; });
      if (end.state === "done" && end.run !== null) {
        await listRuns();
        selected.value = null;
        runNumber.value = end.run;
        view.value = "overview";
      }
    } catch (error) {
      trouble.value = (error as Error).message;
    }
    running.value = null;
  };
  return (
    <form class="reading new-run" onSubmit={start}>
      <h1>{t("view_new")}</h1>
      <p class="muted">{t("root", known.value?.root ?? "…")}</p>
      {FIELDS.map((name) => <PathField key={name} name={name} value={form.value[name] ?? ""} set={(v) => { form.value = { ...form.value, [name]: v }; }} />)}
      <details><summary>{t("metrics")} ({metrics.length})</summary><div class="menu-list">
        {known.value?.metrics.map((m) => (
          <label key={m.name} title={m.formula}><input type="checkbox" checked={metrics.includes(m.name)} onChange={(e) => {
            asked.value = e.currentTarget.checked ? [...metrics, m.name] : metrics.filter((x) => x !== m.name);
          }} /> {m.name}</label>))}
      </div></details>
      <label><input type="checkbox" name="advisor" checked={advisor.value} onChange={(e) => { advisor.value = e.currentTarget.checked; }} /> {t("advisor")}</label>
      <p><button class="main" type="submit" disabled={running.value !== null}>{t("start")}</button>
        {running.value !== null && <button type="button" data-cancel onClick={() => cancelJob(running.value!)}>{t("cancel")}</button>}</p>
      {state.value && <div class="progress" data-job={state.value.state} role="status">
        {state.value.state === "running" && <progress max={1} value={state.value.progress} />}
        <pre>{state.value.lines.join("\n")}{state.value.error && `\n${state.value.error}`}</pre></div>}
    </form>
  );
}
