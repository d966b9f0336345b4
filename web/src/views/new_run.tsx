// A comparison started from the page (only with `assay serve`).
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { cancelJob, files, Job, job, listRuns, Setup, setup, startCompare } from "../server";
import { runNumber, selected, trouble, view } from "../state";
import { t, word } from "../words";

const SOURCES = ["golden", "target"], FIELDS = [...SOURCES, "graph", "golden_graph", "noise"];

/** "onnxruntime:" of "onnxruntime:models/m.onnx". */
function executorIn(text: string, known: Setup | null): string {
  const colon = text.indexOf(":");
  return known?.executors.includes(text.slice(0, Math.max(0, colon))) ? text.slice(0, colon + 1) : "";
}

interface Field { name: string; value: string; set: (v: string) => void }
function TextField({ name, value, set, ...more }: Field & Record<string, unknown>) {
  return (
    <label class="field"><span>{SOURCES.includes(name) ? word(name) : t(`field_${name}` as "field_graph")}</span>
      <input name={name} value={value} required={SOURCES.includes(name)} autocomplete="off" spellcheck={false}
        onInput={(e) => set(e.currentTarget.value)} {...more} /></label>
  );
}

/** Offers what stands below the folder that was typed. */
function PathField({ name, value, set, known }: Field & { known: Setup | null }) {
  const found = useSignal<string[]>([]);
  const asked = useRef(0);
  const look = (text: string) => {
    const executor = executorIn(text, known), folder = text.slice(executor.length, text.lastIndexOf("/") + 1);
    const turn = ++asked.current;
    const show = (entries: string[]) => { if (turn === asked.current) found.value = entries; };  // the last question counts
    files(folder).then((f) => show(f.entries.map((e) => executor + folder + e)), () => show([]));
  };
  useEffect(() => { if (value) look(value); }, [known]);  // typed before the executors were known
  return (
    <>
      <TextField name={name} value={value} list={`paths-${name}`} set={(v) => { set(v); look(v); }} onFocus={() => look(value)} />
      <datalist id={`paths-${name}`}>{found.value.map((f) => <option key={f} value={f} />)}</datalist>
    </>
  );
}

function Progress({ job: { state, progress, lines, error } }: { job: Job }) {
  return (
    <div class="progress" data-job={state} role="status">
      <strong>{t(`job_${state}`)}</strong>
      {state === "running" && <progress max={1} value={progress} aria-label={t("job_running")} />}
      <pre>{lines.join("\n")}{error && `\n${error}`}</pre>
    </div>
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
  const field = (name: string) => ({ name, value: form.value[name] ?? "", set: (v: string) => { form.value = { ...form.value, [name]: v }; } });
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
  const cancel = () => cancelJob(running.value!).catch((e) => { trouble.value = e.message; });
  return (
    <form class="reading new-run" onSubmit={start}>
      <h1>{t("view_new")}</h1>
      <p class="muted">{t("root", known.value?.root ?? "…")}</p>
      <p class="muted">{t("sources_help", known.value?.executors.join(", ") ?? "…")}</p>
      {FIELDS.map((name) => <PathField key={name} known={known.value} {...field(name)} />)}
      <TextField {...field("dims")} placeholder="batch=1 x:0=1" />
      <details><summary>{t("metrics")} ({metrics.length})</summary><div class="menu-list">
        {known.value?.metrics.map((m) => (
          <label key={m.name} title={m.formula}><input type="checkbox" checked={metrics.includes(m.name)} onChange={(e) => {
            asked.value = e.currentTarget.checked ? [...metrics, m.name] : metrics.filter((x) => x !== m.name);
          }} /> {m.name}</label>))}
      </div></details>
      <label><input type="checkbox" name="advisor" checked={advisor.value} onChange={(e) => { advisor.value = e.currentTarget.checked; }} /> {t("advisor")}</label>
      <p><button class="main" type="submit" disabled={running.value !== null}>{t("start")}</button>
        {running.value !== null && <button type="button" data-cancel onClick={cancel}>{t("cancel")}</button>}</p>
      {state.value && <Progress job={state.value} />}
    </form>
  );
}
