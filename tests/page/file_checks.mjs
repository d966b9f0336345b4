// The page as a file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { state, stateWhen } from "./browser.mjs";
import { assay, fusionCase, HOSTILE, hostileCase, scopesCase, stepsCase } from "./runs.mjs";

export const VIEWS = ["overview", "table", "scatter", "model", "advice"];
export const addressOf = (path, hash = "") => `file://${path}${hash && `#${hash}`}`;

export async function open(tools, path, hash) {
  const page = await tools.context.newPage();
  await page.goto(addressOf(path, hash));
  await page.waitForFunction(() => window.assay?.state.rows > 0);
  return page;
}

export function report(tools, make, name) {
  const folder = join(tools.folder, name);
  const words = make(folder);
  const path = join(folder, "report.html");
  const json = JSON.parse(assay(tools.program, ["compare", ...words, "-o", "report.html", "-o", "run.assay", "--json"], folder));
  return { path, json, folder };
}

/** The first thing to see is the operator that makes the error. */
async function overview(tools) {
  const { path, json } = tools.fusion;
  const page = await open(tools, path);
  const first = page.locator(".suspects li").first();
  assert.match(await first.innerText(), new RegExp(json.origins[0]));
  assert.match(await page.locator("h1").innerText(), /make/);
  assert.match(await page.locator("dl").last().innerText(), /21|tensors/);
  await first.click();
  assert.equal((await state(page)).op, json.origins[0]);
  await page.close();
}

async function tableFiltersAndSorts(tools) {
  const { path, json } = tools.fusion;
  const page = await open(tools, path, "view=table");
  const shown = () => page.locator("[data-shown]").getAttribute("data-shown").then(Number);
  assert.equal(await shown(), json.rows.length);
  await page.fill("input[type=search]", "conv1");
  assert.equal(await shown(), json.rows.filter((r) => r.name.includes("conv1")).length);
  await page.check("[data-regex]");
  await page.fill("input[type=search]", "^(add|mul)");
  assert.equal(await shown(), json.rows.filter((r) => /^(add|mul)/i.test(r.name) || /^(add|mul)/i.test(r.type ?? "")).length);
  await page.fill("input[type=search]", "(");
  assert.equal(await shown(), 0);
  await page.fill("input[type=search]", "");
  await page.click("[data-verdict=fail]");
  assert.equal(await shown(), json.counts.fail);
  await page.click("[data-verdict=fail]");
  await page.click("[data-sort=max_abs]");
  const first = await page.locator(".rows .line[data-row]").first().getAttribute("data-row");
  const most = Math.max(...json.rows.map((r) => r.metrics.max_abs ?? -1));
  assert.equal(json.rows[first].metrics.max_abs, most);
  await page.uncheck("[data-invalid]");
  assert.ok(await shown() < json.rows.length);
  await page.click("[data-unpaired]");
  assert.equal(await page.locator(".unpaired .line").count(), json.unpaired.length);
  await page.close();
}

/** As the numbers and texts of the CLI's rows are; what has no number is last, whichever way. */
async function sortsBothWays(tools) {
  const { path, json } = tools.fusion;
  const page = await open(tools, path, "view=table");
  const shown = async () => (await page.locator(".rows .line[data-row]").evaluateAll((all) => all.map((e) => Number(e.dataset.row))));
  const known = (row) => json.rows[row].metrics.rel_l2 !== null && json.rows[row].metrics.rel_l2 !== undefined;
  for (const sign of [-1, 1]) { // a second click turns the order
    await page.click("[data-sort=rel_l2]");
    const rows = await shown(), numbers = rows.filter(known).map((row) => sign * Number(json.rows[row].metrics.rel_l2));
    assert.equal(rows.length, json.rows.length);
    assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b));
    assert.deepEqual(rows, [...rows.filter(known), ...rows.filter((row) => !known(row))]);
  }
  await page.click("[data-sort=name]");
  await page.click("[data-sort=name]");
  const names = (await shown()).map((row) => json.rows[row].name);
  assert.deepEqual(names, json.rows.map((r) => r.name).sort());
  await page.click("[data-sort=verdict]");
  const first = json.rows[(await shown())[0]];
  assert.equal(first.cause, "origin");
  await page.close();
}

async function limitsHighlight(tools) {
  const page = await open(tools, tools.fusion.path, "view=table");
  assert.equal(await page.locator(".beyond").count(), 0);
  await page.locator("[data-limit=rel_l2]").fill("50");
  assert.ok(await page.locator(".beyond").count() > 0);
  await page.locator("summary", { hasText: "columns" }).click();
  await page.check("[data-column=rmse]");
  assert.equal(await page.locator("[data-sort=rmse]").count(), 1);
  await page.close();
}

/** Clicking row i selects the same operator everywhere. */
async function selectsEverywhere(tools) {
  const { path, json } = tools.fusion;
  const page = await open(tools, path, "view=table");
  const wanted = json.rows.find((r) => r.name === "conv1bn1relu1:output:0");
  await page.click(`.line[data-row="${wanted.row}"]`);
  let now = await state(page);
  assert.equal(now.row, wanted.row);
  assert.equal(now.drawn.table.name, wanted.name);
  await page.keyboard.press("3");
  now = await stateWhen(page, () => window.assay.state.drawn.scatter);
  assert.equal(now.drawn.scatter.name, wanted.name);
  await page.keyboard.press("4");
  now = await stateWhen(page, () => window.assay.state.drawn.target);
  assert.equal(now.drawn.target.name, "conv1bn1relu1");
  assert.equal(now.drawn.golden.name, "relu1"); // the operator whose output it is
  assert.deepEqual(await page.locator(".original").allInnerTexts(), ["conv1", "bn1", "relu1"]);
  assert.equal(await page.locator("[data-lens]").getAttribute("data-lens"), String(wanted.row));
  await page.close();
}

/** A click on a graph selects, too, and the other side follows. */
async function clicksInTheGraph(tools) {
  const { path, json } = tools.fusion;
  const row = json.rows.find((r) => r.name === "add.wrong:output:0").row;
  const page = await open(tools, path, `view=model&row=${row}`);
  await stateWhen(page, () => window.assay.state.drawn.target);
  await page.fill("input[type=search]", "mul_nan"); // brings it to the middle
  await page.waitForTimeout(200);
  const box = await page.locator("canvas[data-graph=target]").boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const now = await stateWhen(page, () => window.assay.state.drawn.target?.name === "mul_nan");
  assert.equal(now.op, "mul_nan");
  assert.equal(now.drawn.golden.name, "mul_nan");
  await page.close();
}

/** Scopes fold to a depth on both sides; one of them opens and closes again. */
async function foldsScopes(tools) {
  const { path } = report(tools, scopesCase, "scopes");
  const page = await open(tools, path, "view=model");
  const boxes = (wanted) => page.waitForFunction((n) => [...document.querySelectorAll("canvas[data-graph]")]
    .every((canvas) => canvas.dataset.boxes === String(n)), wanted);
  await boxes(12);
  await page.selectOption("[data-fold]", "2");
  await boxes(3);
  const canvas = page.locator("canvas[data-graph=target]"), box = await canvas.boundingBox();
  await canvas.click({ position: { x: box.width / 2, y: box.height / 2 - 24 } }); // the second of three: its name
  await stateWhen(page, () => window.assay.state.drawn.target?.name === "net/block1");
  const smaller = await canvas.boundingBox(); // the lens has come
  await canvas.click({ position: { x: smaller.width / 2, y: smaller.height / 2 - 4 } }); // its number
  await boxes(6);
  assert.equal(await page.locator("[data-opened]").innerText(), "net/block1 ✕");
  await page.waitForFunction(() => location.hash.includes("open="));
  const now = await stateWhen(page, () => window.assay.state.row !== null);
  assert.equal(now.drawn.golden.name, "net/block1/b"); // the one that makes the error
  await page.reload();
  await boxes(6);
  await canvas.press("Enter"); // on a box of the scope: closes it
  await boxes(3);
  await canvas.press("Enter");
  await boxes(6);
  await page.click("[data-opened]");
  await boxes(3);
  await page.fill("input[type=search]", "block2/d"); // inside a folded scope
  const picture = () => canvas.evaluate((c) => c.toDataURL());
  const found = await picture();
  await page.fill("input[type=search]", "");
  await page.waitForTimeout(100);
  assert.notEqual(await picture(), found);
  await page.close();
}

async function scatterBrushes(tools) {
  const { path } = tools.fusion;
  const page = await open(tools, path, "view=scatter");
  const plot = page.locator("[data-plot=rel_l2] .u-over");
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + box.width * 0.2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 4 });
  await page.mouse.up();
  await page.click("[data-brushed]");
  const shown = Number(await page.locator("[data-shown]").getAttribute("data-shown"));
  assert.ok(shown > 2 && shown < tools.fusion.json.rows.length, `${shown} rows brushed`);
  await page.close();
}

async function deepLinks(tools) {
  const { path, json } = tools.fusion;
  const page = await open(tools, path, "view=table&q=l1&row=3&sort=-max_abs&v=pass&lang=zh&theme=dark");
  const now = await state(page);
  assert.deepEqual([now.view, now.row, now.lang], ["table", 3, "zh"]);
  assert.equal(await page.inputValue("input[type=search]"), "l1");
  const wanted = json.rows.filter((r) => r.name.includes("l1") && r.verdict === "pass").length;
  assert.equal(Number(await page.locator("[data-shown]").getAttribute("data-shown")), wanted);
  await page.click("[data-verdict=pass]");
  await page.waitForFunction(() => !location.hash.includes("v="));
  await page.close();
}

async function lensShowsDetails(tools) {
  const { path, json } = tools.fusion;
  const row = json.rows.find((r) => r.name === "add.wrong:output:0");
  const page = await open(tools, path, `row=${row.row}`);
  const lens = page.locator(".lens");
  assert.equal(await lens.locator("svg").count(), 3);
  const worst = row.worst[0];
  assert.match(await lens.locator(".elements tbody tr").first().innerText(), new RegExp(`\\[${worst.index.join(", ")}\\]`));
  await lens.locator("[data-relative]").click();
  assert.ok(await lens.locator(".elements tbody tr").count() > 1);
  assert.match(await lens.innerText(), /f16/);
  await page.keyboard.press("Escape");
  assert.equal((await state(page)).row, null);
  await page.close();
}

async function exportsCsv(tools) {
  const { path, json } = tools.fusion;
  const page = await open(tools, path, "view=table&sort=name");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("[data-csv]")]);
  const lines = readFileSync(await download.path(), "utf8").trim().split("\n");
  assert.equal(lines.length, json.rows.length + 1);
  assert.match(lines[0], /^row,name,type,.*,rel_l2,/);
  await page.close();
}

async function speaksTwoLanguages(tools) {
  const page = await open(tools, tools.fusion.path, "view=advice");
  assert.match(await page.locator("nav").innerText(), /Overview/);
  await page.click("[data-lang]");
  assert.match(await page.locator("nav").innerText(), /总览/);
  assert.match(await page.locator(".findings").innerText(), /溢出/);
  assert.equal(await page.evaluate(() => document.documentElement.lang), "zh");
  await page.click("[data-view=overview]");
  assert.match(await page.locator("h1").innerText(), /产生误差；25 行中 4 行失败/);
  const english = (texts) => texts.flatMap((text) => text.split("；")).filter((text) => !/[\u4e00-\u9fff]/.test(text));
  await page.click("[data-view=table]");
  const whys = await page.locator(".rows .line[data-row] .why").allInnerTexts();
  assert.equal(whys.length, tools.fusion.json.rows.length);
  assert.deepEqual(english(whys), []);
  await page.close();
}

async function keyboardGoesThroughRows(tools) {
  const page = await open(tools, tools.fusion.path, "view=table");
  await page.keyboard.press("j");
  const first = (await state(page)).row;
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  assert.equal((await state(page)).row, first);
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.type), "search");
  await page.close();
}

/** Shown as text everywhere, and nothing of it runs. */
async function namesAreText(tools) {
  const { path, json } = report(tools, hostileCase, "hostile");
  const page = await open(tools, path);
  for (const view of VIEWS) {
    await page.evaluate((v) => { location.hash = `view=${v}&row=0`; }, view);
    await stateWhen(page, `window.assay.state.view === "${view}"`);
    assert.equal(await page.locator("img, script:not(body > script)").count(), 0);
  }
  await page.evaluate(() => { location.hash = "view=table&sort=name"; });
  await page.waitForSelector(".rows .name");
  const names = await page.locator(".rows .line[data-row] .name").allInnerTexts();
  assert.equal(names.length, HOSTILE.length);
  for (const row of json.rows) assert.ok(names.includes(row.name), row.name);
  assert.equal(await page.evaluate(() => typeof window.hacked), "undefined");
  await page.close();
}

async function stepsAsHeatMap(tools) {
  const { path, json } = report(tools, stepsCase, "steps");
  assert.deepEqual([...new Set(json.rows.map((r) => r.step))], [0, 1, 2]);
  const page = await open(tools, path, "view=steps");
  const canvas = page.locator("[data-heat]");
  const box = await canvas.boundingBox();
  await page.mouse.click(box.x + 260 + 18 * 1 + 6, box.y + 24 + 18 + 6); // second tensor, step 1
  const now = await stateWhen(page, () => window.assay.state.row !== null);
  const row = json.rows[now.row];
  assert.deepEqual([row.step, row.verdict], [1, "fail"]);
  await page.close();
}

/** `show RUN -o` writes the same page. */
async function fromASavedRun(tools) {
  const { folder, json } = tools.fusion;
  assay(tools.program, ["show", "run.assay", "-o", "again.html"], folder);
  const page = await open(tools, join(folder, "again.html"), "view=model&row=1");
  const now = await state(page);
  assert.equal(now.rows, json.rows.length);
  assert.equal(readFileSync(join(folder, "again.html"), "utf8"), readFileSync(join(folder, "report.html"), "utf8"));
  await page.close();
}

export function prepare(tools) {
  tools.fusionCase = (folder) => fusionCase(tools.data, folder);
  tools.fusion = report(tools, tools.fusionCase, "fusion");
}
export const checks = { overview, tableFiltersAndSorts, sortsBothWays, limitsHighlight, selectsEverywhere, clicksInTheGraph, foldsScopes, scatterBrushes, deepLinks,
  lensShowsDetails, exportsCsv, speaksTwoLanguages, keyboardGoesThroughRows, namesAreText, stepsAsHeatMap, fromASavedRun };
