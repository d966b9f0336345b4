// Times a page in a browser: page_probe.mjs BROWSER_MODULE CHROMIUM PACKAGES FILE
// Prints JSON, in milliseconds. An empty FILE name means a page with nothing on it.
import { pathToFileURL } from "node:url";

const [module, chromium, packages, file] = process.argv.slice(2);
const { openBrowser } = await import(pathToFileURL(module));
const { context, close } = await openBrowser(chromium, packages);
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

/** The median time between frames while the mouse drags across a box. */
async function frames(box) {
  await page.evaluate(() => {
    window.gaps = [];
    let last = performance.now();
    const tick = (now) => { window.gaps.push(now - last); last = now; window.next = requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
  });
  await page.mouse.move(box.x + 60, box.y + 60);
  await page.mouse.down();
  for (let i = 0; i < 60; i++) await page.mouse.move(box.x + 60 + i * 4, box.y + 60 + i * 6);
  await page.mouse.up();
  const gaps = await page.evaluate(() => { cancelAnimationFrame(window.next); return window.gaps.slice(2).sort((a, b) => a - b); });
  return gaps[Math.floor(gaps.length / 2)];
}

if (!file) {
  figures.paint = await firstPaint("data:text/html,<canvas>", () => true);
  figures.frame = await frames({ x: 0, y: 0 });
} else {
  figures.paint = await firstPaint(`${pathToFileURL(file)}#view=table`, () => document.querySelector(".rows .line[data-row]"));
  figures.sort = await page.evaluate(async () => {
    const start = performance.now();
    document.querySelector("[data-sort=max_abs]").click();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return performance.now() - start;
  });
  for (const [name, scale] of [["near", 0.5], ["middle", 0.1], ["far", 0.01]]) {
    await page.evaluate((s) => { location.hash = `view=model&zoom=target:600,300000,${s};golden:600,300000,${s}`; }, scale);
    await page.evaluate(() => { location.hash += ""; });
    await page.reload();
    await page.waitForSelector("canvas[data-graph=target]");
    await page.waitForTimeout(300);
    figures[`frame_${name}`] = await frames(await page.locator("canvas[data-graph=target]").boundingBox());
  }
}
await close();
console.log(JSON.stringify(figures));
