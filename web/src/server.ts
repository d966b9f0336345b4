// Talking to `assay serve`; a report file never does.
import { signal } from "@preact/signals";
import { Full, Run } from "./data";
import { receivedRun } from "./packed";
import { t } from "./words";

const token = new URLSearchParams(location.search).get("token") ?? "";
export const isLive = document.body.dataset.run !== "inside";

export interface RunEntry { name: string; verdict: string; golden: string; target: string }
export interface Job { state: "running" | "done" | "failed" | "cancelled"; lines: string[]; run: number | null;
  error: string; progress: number }
export interface Setup { root: string; executors: string[]; metrics: { name: string; formula: string; asked: boolean }[] }

export const runs = signal<RunEntry[]>([]);

async function call(path: string, body?: unknown): Promise<Response> {
  const response = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "X-Assay-Token": token, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => { throw new Error(t("server_gone")); });
  if (!response.ok) throw new Error((await response.text()) || `${response.status}`);
  return response;
}
const json = async <T>(path: string, body?: unknown): Promise<T> => (await call(path, body)).json();

export async function listRuns() { runs.value = await json<RunEntry[]>("api/runs"); }
export async function loadRun(number: number): Promise<Run> {
  return receivedRun(await (await call(`api/runs/${number}`)).arrayBuffer());
}
export const lens = (run: number, row: number) => json<Full>(`api/runs/${run}/rows/${row}`);
export const setup = () => json<Setup>("api/setup");
export const files = (path: string) => json<{ path: string; entries: string[] }>(`api/files?path=${encodeURIComponent(path)}`);
export const startCompare = (options: unknown) => json<{ job: number }>("api/jobs", options);
export const job = (number: number) => json<Job>(`api/jobs/${number}`);
export const cancelJob = (number: number) => json<Job>(`api/jobs/${number}/cancel`, {});
