// One file of texts per language; the program's reports read the same files.
import en from "../strings/en.json";
import zh from "../strings/zh.json";
import { lang } from "./state";

type Key = keyof typeof en.page;
const pages: Record<string, Record<string, string>> = { en: en.page, zh: zh.page };
const tables: Record<string, Record<string, string>> = { en: en.words, zh: zh.words };

export function t(key: Key, ...values: (string | number)[]): string {
  const text = pages[lang.value][key] ?? en.page[key];
  return text.replace(/\{(\d)\}/g, (_, i) => String(values[+i] ?? ""));
}
/** A word of the program: a verdict, a cause, a side. */
export const word = (english: string) => tables[lang.value][english] ?? english;

/** Patterns as in the program's Language: holes are {} and hold no "; ", the most fixed text comes first. */
function patternsOf(sentences: Record<string, string>): [RegExp, string][] {
  const fixed = (pattern: string) => pattern.replaceAll("{}", "").length;
  return Object.entries(sentences).sort(([a], [b]) => fixed(b) - fixed(a)).map(([english, translation]) => {
    const pieces = english.split("{}").map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return [new RegExp(`^${pieces.join("((?:(?!; )[^])*?)")}$`), translation];
  });
}
const patterns: Record<string, [RegExp, string][]> = { en: [], zh: patternsOf(zh.sentences) };

function translated(english: string): string | null {
  for (const [pattern, translation] of patterns[lang.value]) {
    const found = pattern.exec(english);
    if (!found) continue;
    return translation.replace(/\{(=?)(\d)\}/g, (_, nested, i) => (nested ? sentence(found[+i + 1]) : found[+i + 1]));
  }
  return null;
}
/** A sentence of the program, or several with "; " between them. */
export function sentence(english: string): string {
  const whole = translated(english);
  if (whole !== null || patterns[lang.value].length === 0) return whole ?? english;
  return english.split("; ").map((part) => translated(part) ?? part).join(word("; "));
}

export const ICONS: Record<string, string> = { pass: "✓", fail: "✗", unsure: "?", trivial: "∅", skipped: "–", error: "!" };

/** Where no element can do it: a text whose direction does not leak into what stands beside it. */
export const isolated = (text: string) => `\u2068${text}\u2069`;

/** For people: four digits. */
export function short(x: number | string | null | undefined, digits = 4): string {
  if (x === null || x === undefined) return "–";
  const n = Number(x);
  if (typeof x === "string" || !isFinite(n)) return String(x);
  if (Number.isInteger(n) && Math.abs(n) < 1e9) return String(n);
  const text = n.toPrecision(digits);
  return text.includes("e") ? text.replace(/\.?0+e/, "e") : text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
export const cell = (x: number) => (Number.isNaN(x) ? "–" : short(x));
