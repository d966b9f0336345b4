// Rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula gets
// an apostrophe in front, as in the program's own CSV report.
import { Run } from "./data";

function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
const TEXTS = ["name", "type", "golden_dtype", "golden_shape", "target_dtype", "target_shape"];

export function toCsv(r: Run, rows: Uint32Array, metrics: string[]): string {
  const lines = [["row", ...TEXTS, "verdict", "cause", ...metrics, "why"].join(",")];
  for (const row of rows) {
    const numbers = metrics.map((m) => r.metric(m)[row]).map((x) => (Number.isNaN(x) ? "" : String(x)));
    lines.push([row, ...TEXTS.map((c) => quoted(r.text(c, row))), r.verdict(row), r.cause(row), ...numbers,
      quoted(r.text("why", row))].join(","));
  }
  return lines.join("\n") + "\n";
}

export function download(name: string, text: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
