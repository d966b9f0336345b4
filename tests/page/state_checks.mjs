// The page when something is missing, and for those who use it without a mouse or colours.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { state } from "./browser.mjs";
import { addressOf, open, report, VIEWS } from "./file_checks.mjs";
import { assay, onlyCase, serve } from "./runs.mjs";

/** Cut off while it was copied, or with bytes changed: it says so instead of waiting. */
async function damagedFiles(tools) {
  const html = readFileSync(tools.fusion.path, "utf8"), at = html.indexOf('<script type="application/octet-stream"');
  const cases = { cut: html.slice(0, at + 5000), short: html.slice(0, at), changed: html.slice(0, at + 400) + "AAAA" + html.slice(at + 404) };
  for (const [name, text] of Object.entries(cases)) {
    const path = join(tools.folder, `${name}.html`);
    writeFileSync(path, text);
    const page = await tools.context.newPage();
    await page.goto(addressOf(path));
    assert.match(await page.locator(".trouble").innerText(), /damaged/, name);
    assert.equal(await page.locator(".wait").count(), 0, name);
    await page.close();
  }
}

/** Nothing was compared: every view has something to say, none breaks. */
async function emptyRun(tools) {
  const folder = join(tools.folder, "empty");
  assay(tools.program, ["compare", ...onlyCase(folder), "-o", "report.html"], folder, [0, 1, 2, 3]);
  const page = await tools.context.newPage();
  for (const view of [...VIEWS, "steps", "new"]) {
    await page.goto("about:blank");
    await page.goto(addressOf(join(folder, "report.html"), `view=${view}&row=3`));
    await page.waitForSelector("header .badge");
    assert.ok((await page.locator("main").innerText()).length > 0, view);
  }
  assert.match(await page.locator("h1").innerText(), /nothing was compared/);
  await page.close();
}

/** Whatever stands in an address, it is shown without complaint. */
async function brokenLinks(tools) {
  const junk = "run=x&row=-1&q=%28&re=1&sort=-nonsense&cols=a,b&limits=q:z;;&y=no,such&brush=a,b&colour=none&fold=x&open=%25,a&zoom=target:a;x&theme=no&lang=xx";
  for (const view of [...VIEWS, "steps", "new", "nowhere"]) {
    const page = await open(tools, tools.fusion.path, `view=${view}&${junk}`);
    assert.equal((await state(page)).row, null);
    await page.close();
  }
  const page = await open(tools, tools.fusion.path, "view=table&sort=-nonsense&cols=a");
  const rows = await page.locator(".rows .line[data-row]").evaluateAll((all) => all.map((e) => e.dataset.row));
  assert.equal(new Set(rows).size, tools.fusion.json.rows.length);
  await page.close();
}

async function serverGone(tools) {
  const root = join(tools.folder, "gone");
  mkdirSync(root, { recursive: true });
  assay(tools.program, ["compare", ...tools.fusionCase(root), "-o", "run.assay"], root);
  const server = await serve(tools.program, ["run.assay"], root);
  const page = await tools.context.newPage();
  await page.goto(server.address);
  await page.click("[data-view=table]");
  await server.stop("SIGKILL");
  await page.click(".line[data-row]");
  await page.getByText("The server does not answer").waitFor();
  await page.click("[data-view=new]");
  await page.locator(".trouble").waitFor();
  assert.match(await page.locator(".trouble").innerText(), /does not answer/);
  await page.close();
  tools.complaints.length = 0; // the browser logs refused connections itself
}

/** What a screen reader says of everything that can be used; nothing is nameless. */
async function everythingHasAName(tools) {
  for (const view of VIEWS) {
    const page = await open(tools, tools.fusion.path, `view=${view}&row=1`);
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, canvas, meter, summary, [role=img], [role=grid]")]
      .filter((e) => !(e.closest("[aria-label]") === e || e.closest("[role=img][aria-label]") || e.textContent || e.labels?.[0]?.textContent.trim()))
      .map((e) => e.outerHTML.slice(0, 120)));
    assert.deepEqual(nameless, [], view);
    await page.close();
  }
}

async function keyboardMovesTheGraph(tools) {
  const page = await open(tools, tools.fusion.path, "view=model&row=1");
  const canvas = page.locator("canvas[data-graph=target]");
  const picture = () => canvas.evaluate((c) => c.toDataURL());
  let last = await picture();
  for (const key of ["ArrowDown", "ArrowLeft", "+", "-", "ArrowUp"]) {
    await canvas.press(key);
    await page.waitForTimeout(60);
    const now = await picture();
    assert.notEqual(now, last, key);
    last = now;
  }
  assert.equal((await state(page)).row, 1); // arrows move the picture, not the selection
  await page.close();
}

/** A filter set in the table holds in the scatter, which says so. */
async function filterIsSeen(tools) {
  const page = await open(tools, tools.fusion.path, "view=scatter&q=conv1");
  const shown = tools.fusion.json.rows.filter((r) => r.name.includes("conv1")).length;
  assert.match(await page.locator("[data-unfilter]").innerText(), new RegExp(`^${shown} of `));
  await page.click("[data-unfilter]");
  await page.click("[data-view=table]");
  assert.equal(await page.locator("[data-shown]").getAttribute("data-shown"), String(tools.fusion.json.rows.length));
  await page.close();
}

export const checks = { damagedFiles, emptyRun, brokenLinks, serverGone, everythingHasAName, keyboardMovesTheGraph, filterIsSeen };
