// The page from `assay serve`.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { state, stateWhen } from "./browser.mjs";
import { assay, endlessCase, fusionCase, serve } from "./runs.mjs";

async function withServer(tools, words, check) {
  const server = await serve(tools.program, words, tools.root);
  const page = await tools.context.newPage();
  try {
    await page.goto(server.address);
    await check(page, server);
  } finally {
    await page.close();
    await server.stop();
  }
}

/** What the page computes is what the command line computes. */
async function newComparison(tools) {
  const json = JSON.parse(assay(tools.program, ["compare", ...tools.words, "--json"], join(tools.root, "case")));
  await withServer(tools, [], async (page, server) => {
    await page.waitForSelector("form");
    await page.fill("input[name=golden]", "case/golden");
    await page.fill("input[name=target]", "case/my");
    await page.fill("input[name=graph]", "case/graph.json");
    await page.fill("input[name=golden_graph]", "case/golden.pbtxt");
    await page.click("button[type=submit]");
    await stateWhen(page, () => window.assay.state.rows > 0);
    assert.equal((await state(page)).view, "overview");
    const { origin, search } = new URL(server.address);
    for (const row of json.rows) {
      const answer = await fetch(`${origin}/api/runs/0/rows/${row.row}${search}`);
      const measured = Object.keys(row.metrics).length > 0;
      assert.equal(answer.status, measured ? 200 : 422, row.name);
      if (measured) assert.deepEqual((await answer.json()).row, row);
    }
    assert.equal((await state(page)).rows, json.rows.length);
    const texts = await page.locator(".stack span").evaluateAll((all) => all.map((e) => e.title));
    assert.ok(texts.includes(`${json.counts.fail} fail`), texts.join());
  });
}

async function refusesPathsOutside(tools) {
  await withServer(tools, [], async (page) => {
    await page.waitForSelector("form");
    await page.fill("input[name=golden]", "../..");
    await page.fill("input[name=target]", "case/my");
    await page.click("button[type=submit]");
    assert.match(await page.locator(".trouble").innerText(), /no such path below the root/);
    tools.complaints.length = 0; // the browser logs the 404 itself
  });
}

/** Any row is read again from the dump, not only the worst. */
async function liveLens(tools) {
  await withServer(tools, ["case/run.assay", "case/run.assay"], async (page) => {
    await stateWhen(page, () => window.assay.state.rows > 0);
    assert.equal(await page.locator("header select option").count(), 2);
    await page.evaluate(() => { location.hash = "view=table&q=conv1bn1relu1:output"; });
    await page.click(".line[data-row]");
    await page.waitForSelector(".lens svg");
    assert.equal(await page.locator(".lens svg").count(), 3);
  });
}

/** Stops long before the end, says so, and lets the next one start. */
async function cancels(tools) {
  endlessCase(join(tools.root, "endless"));
  await withServer(tools, [], async (page) => {
    await page.waitForSelector("form");
    await page.fill("input[name=golden]", "endless/golden.npy");
    await page.fill("input[name=target]", "endless/target.npy");
    await page.click("button[type=submit]");
    await page.waitForFunction(() => document.querySelector("[data-job=running] progress")?.value > 0);
    const start = Date.now();
    await page.click("[data-cancel]");
    await page.waitForSelector("[data-job=cancelled]");
    assert.ok(Date.now() - start < 5000, `cancelled after ${Date.now() - start} ms`);
    assert.equal((await state(page)).rows, 0);
    await page.fill("input[name=golden]", "case/golden");
    await page.fill("input[name=target]", "case/my");
    await page.click("button[type=submit]");
    await stateWhen(page, () => window.assay.state.rows > 0);
  });
}

/** A graph as the model, a model as a source, and the box of the Advisor. */
async function fieldsOfTheForm(tools) {
  await withServer(tools, [], async (page) => {
    await page.waitForSelector("form");
    for (const name of ["golden", "target", "graph", "golden_graph", "noise", "dims", "advisor"]) {
      assert.equal(await page.locator(`input[name=${name}]`).count(), 1, name);
    }
    const offered = () => page.locator("#paths-target option").evaluateAll((all) => all.map((e) => e.value));
    await page.fill("input[name=target]", "onnxruntime:case/");
    await page.waitForFunction(() => document.querySelector("#paths-target option[value^=onnx]"));
    assert.ok((await offered()).includes("onnxruntime:case/graph.json"));
    await page.fill("input[name=golden]", "case/golden");
    await page.fill("input[name=target]", "case/my");
    await page.uncheck("input[name=advisor]");
    await page.click("button[type=submit]");
    await stateWhen(page, () => window.assay.state.rows > 0);
    await page.click("[data-view=advice]");
    assert.equal(await page.locator(".findings li").count(), 0);
  });
}

export function prepare(tools) {
  tools.root = join(tools.folder, "root");
  mkdirSync(tools.root, { recursive: true });
  tools.words = fusionCase(tools.data, join(tools.root, "case"));
  assay(tools.program, ["compare", "case/golden", "case/my", "--graph", "case/graph.json", "-o", "case/run.assay"], tools.root);
}
export const checks = { newComparison, refusesPathsOutside, liveLens, cancels, fieldsOfTheForm };
