// Small pictures of the lens, as SVG.
import { Detail } from "./data";
import { short, t, word } from "./words";

const W = 360, H = 96;
const numbers = (list: (number | string)[]) => list.map(Number);

function Bars({ values, names, title }: { values: number[]; names: string[]; title: string }) {
  const most = Math.max(...values, 1), width = W / values.length;
  return (
    <figure class="chart"><figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${W} ${H + 14}`} role="img" aria-label={title}>
        {values.map((v, i) => {
          const h = v === 0 ? 0 : Math.max(2, Math.log1p(v) / Math.log1p(most) * H);
          return <rect key={i} x={i * width + 1} y={H - h} width={Math.max(1, width - 2)} height={h} class="bar"><title>{names[i]}: {v}</title></rect>;
        })}
        {names.map((n, i) => (i % Math.ceil(names.length / 8) === 0 &&
          <text x={i * width + width / 2} y={H + 11} text-anchor="middle">{n}</text>))}
      </svg></figure>
  );
}

/** |t-g| by decade, without the empty ones at both ends. */
export function ErrorHistogram({ detail }: { detail: Detail }) {
  const used = detail.decades.map((n, i) => [n, i]).filter(([n]) => n > 0).map(([, i]) => i);
  const first = used[0] ?? 0, last = used[used.length - 1] ?? -1;
  const decades = detail.decades.slice(first, last + 1);
  const names = decades.map((_, i) => `1e${detail.first_decade + first + i}`);
  return <Bars title={t("errors_by_decade")} values={[detail.zero, ...decades, detail.not_finite]} names={["0", ...names, "∞"]} />;
}

function line(values: number[], height: (v: number) => number): string {
  const step = W / Math.max(1, values.length - 1);
  return values.map((v, i) => `${i ? "L" : "M"}${(i * step).toFixed(1)} ${(H - height(v)).toFixed(1)}`).join("");
}

export function Distributions({ detail }: { detail: Detail }) {
  const most = Math.max(...detail.golden, ...detail.target, 1), high = (v: number) => Math.log1p(v) / Math.log1p(most) * (H - 4);
  return (
    <figure class="chart"><figcaption>{t("distributions")}</figcaption>
      <svg viewBox={`0 0 ${W} ${H + 14}`} role="img" aria-label={t("distributions")}>
        <path d={`${line(detail.golden, high)}L${W} ${H}L0 ${H}Z`} class="area" />
        <path d={line(detail.target, high)} class="curve" />
        <text x={0} y={H + 11}>{short(detail.low)}</text>
        <text x={W} y={H + 11} text-anchor="end">{short(detail.high)}</text>
        <text x={W / 2} y={H + 11} text-anchor="middle">▇ {word("golden")}  ─ {word("target")}</text>
      </svg></figure>
  );
}

/** The share of the whole error that stands before each place of the tensor. */
export function Cumulative({ detail }: { detail: Detail }) {
  const parts = numbers(detail.profile);
  const sum = parts.reduce((a, b) => a + b, 0) || 1;
  let so_far = 0;
  const curve = [0, ...parts.map((p) => (so_far += p) / sum)];
  const most = Math.max(...parts) || 1;
  return (
    <figure class="chart"><figcaption>{t("cumulative")}</figcaption>
      <svg viewBox={`0 0 ${W} ${H + 14}`} role="img" aria-label={t("cumulative")}>
        {parts.map((p, i) => <rect key={i} x={i * W / parts.length} y={H - p / most * (H - 4)} width={W / parts.length} height={p / most * (H - 4)} class="soft" />)}
        <path d={line(curve, (v) => v * (H - 4))} class="curve" />
        <text x={0} y={H + 11}>{t("first_element")}</text>
        <text x={W} y={H + 11} text-anchor="end">{t("last_element")}</text>
      </svg></figure>
  );
}
