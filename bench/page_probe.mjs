// Times a page in a browser: page_probe.mjs BROWSER_MODULE CHROMIUM PACKAGES FILE
// Prints JSON, in milliseconds. An empty FILE name means a page with nothing on it.
import { pathToFileURL } from "node:url";

const [module, chromium, packages, file] = process.argv.slice(2);
const { openBrowser } = await import(pathToFileURL(module));
// No waiting for the display: the time from frame to frame is the work of one,
// script, layout, painting and compositing together.
const { context, close } = await openBrowser(chromium, packages, ["--disable-frame-rate-limit", "--disable-gpu-vsync"]);
const page = await context.newPage();
const figures = {};

/** From asking for the page until its content has been painted. */
async function firstPaint(address, ready) {
  const start = Date.now();
  await page.goto(address);
  await page.waitForFunction(ready);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return Date.now() - start;
}

/** From a click on a column's head until the rows have been painted. */
const sortTime = (column) => page.evaluate(async (name) => {
  const start = performance.now();
  document.querySelector(`[data-sort=${name}]`).click();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now() - start;
}, column);

/** The median time of a frame while the mouse drags across a box, a move in each. */
async function frames(selector) {
  const box = await page.locator(selector).boundingBox();
  await page.mouse.move(box.x + 60, box.y + 60);
  await page.mouse.down();
  const times = await page.evaluate(({ selector, x, y }) => new Promise((done) => {
    const target = document.querySelector(selector), times = [];
    const tick = (now) => {
      times.push(now);
      if (times.length > 120) { done(times); return; }
      const at = { clientX: x + times.length * 2, clientY: y + times.length * 3, pointerId: 1, bubbles: true };
      target.dispatchEvent(new PointerEvent("pointermove", at));
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }), { selector, x: box.x + 60, y: box.y + 60 });
  await page.mouse.up();
  const gaps = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
  return gaps[Math.floor(gaps.length / 2)];
}

if (!file) {
  figures.paint = await firstPaint("data:text/html,<canvas onpointermove=\"getContext('2d').fillRect(event.x,0,1,1)\">", () => true);
  figures.frame = await frames("canvas");
} else {
  figures.paint = await firstPaint(`${pathToFileURL(file)}#view=table`, () => document.querySelector(".rows .line[data-row]"));
  const sorts = [];
  for (const column of ["max_abs", "name", "why"]) sorts.push(await sortTime(column));
  figures.sort = Math.max(...sorts);
  for (const [name, scale] of [["near", 0.5], ["middle", 0.1], ["far", 0.01]]) {
    await page.evaluate((s) => { location.hash = `view=model&zoom=target:600,300000,${s};golden:600,300000,${s}`; }, scale);
    await page.evaluate(() => { location.hash += ""; });
    await page.reload();
    await page.waitForSelector("canvas[data-graph=target]");
    await page.waitForTimeout(300);
    figures[`frame_${name}`] = await frames("canvas[data-graph=target]");
  }
}
await close();
console.log(JSON.stringify(figures));
