import { Command, Facts, RowLink } from "../parts";
import { run } from "../state";
import { sentence, t } from "../words";

function rowNamed(name: string): number | null {
  const r = run.value!, id = r.head.texts.indexOf(name);
  const row = id < 0 ? -1 : (r.numbers("name") as Uint32Array).indexOf(id);
  return row < 0 ? null : row;
}

export function Advice() {
  const doc = run.value!.document;
  return (
    <div class="reading">
      <h1>{t("view_advice")}</h1>
      {doc.findings.length === 0 && <p class="muted">{t("no_advice")}</p>}
      <ol class="findings">
        {doc.findings.map((finding, i) => {
          const row = rowNamed(finding.where);
          return (
            <li key={i}>
              <h2>{finding.rule} {row === null ? <bdi class="muted">{finding.where}</bdi> : <RowLink row={row} />}</h2>
              <p><bdi>{sentence(finding.text)}</bdi></p>
              <Facts rows={Object.entries(finding.evidence).map(([k, v]) => [k, <bdi>{v}</bdi>])} />
              {finding.next && <Command line={finding.next} />}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
