// The page from `assay serve`.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { state, stateWhen } from "./browser.mjs";
import { assay, fusionCase, serve } from "./runs.mjs";

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
    let same = 0;
    for (const row of json.rows) {
      const answer = await fetch(`${origin}/api/runs/0/rows/${row.row}${search}`);
      if (answer.status !== 200) continue; // such as a pair of the target's own tensors
      assert.deepEqual((await answer.json()).row, row);
      same++;
    }
    assert.ok(same > json.rows.length / 2, `${same} of ${json.rows.length} rows read again`);
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

async function cancels(tools) {
  await withServer(tools, [], async (page, server) => {
    const { origin, search } = new URL(server.address);
    const post = (path, body) => fetch(origin + path + search,
      { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const { job } = await (await post("/api/jobs", { golden: "case/golden", target: "case/my" })).json();
    assert.equal((await post(`/api/jobs/${job}/cancel`, {})).status, 200);
    let now;
    do now = await (await fetch(`${origin}/api/jobs/${job}${search}`)).json(); while (now.state === "running");
    assert.ok(["cancelled", "done"].includes(now.state), now.state); // it may have been faster
  });
}

export function prepare(tools) {
  tools.root = join(tools.folder, "root");
  mkdirSync(tools.root, { recursive: true });
  tools.words = fusionCase(tools.data, join(tools.root, "case"));
  assay(tools.program, ["compare", "case/golden", "case/my", "--graph", "case/graph.json", "-o", "case/run.assay"], tools.root);
}
export const checks = { newComparison, refusesPathsOutside, liveLens, cancels };
