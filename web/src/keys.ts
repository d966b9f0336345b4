// The keyboard: digits choose a view, j and k (in the table arrows, too) go
// through the rows, / searches, Escape closes the lens.
import { shown } from "./rows";
import { selected, View, view } from "./state";

function step(by: number) {
  const rows = shown.value;
  if (rows.length === 0) return;
  const at = selected.value === null ? -1 : rows.indexOf(selected.value);
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1);
  selected.value = rows[next];
}

export const onKey = (tabs: () => View[]) => (event: KeyboardEvent) => {
  const typing = (event.target as HTMLElement).matches?.("input, select, textarea");
  if (event.key === "Escape") {
    if (typing) (event.target as HTMLElement).blur();
    else selected.value = null;
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrows = view.value === "table"; // elsewhere they scroll
  const tab = tabs()[Number(event.key) - 1];
  if (tab) view.value = tab;
  else if (event.key === "j" || (arrows && event.key === "ArrowDown")) step(1);
  else if (event.key === "k" || (arrows && event.key === "ArrowUp")) step(-1);
  else if (event.key === "/") document.querySelector<HTMLInputElement>("input[type=search]")?.focus();
  else return;
  event.preventDefault();
};
