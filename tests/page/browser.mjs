// A browser of the system's packages, without a screen and without the network.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

/** Opens pages, and collects what no page may do: log errors, ask elsewhere. */
export async function openBrowser(program, packages, flags = []) {
  const { chromium } = createRequire(join(packages, "package.json"))("playwright-core");
  const folder = mkdtempSync(join(tmpdir(), "assay-browser-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: program, args: [...FLAGS, ...flags], viewport: { width: 1440, height: 900 }, acceptDownloads: true, locale: "en-GB",
  });
  const complaints = [];
  function watch(page) {
    page.on("console", (m) => { if (m.type() === "error") complaints.push(`console: ${m.text()}`); });
    page.on("pageerror", (e) => complaints.push(`error: ${e.message}`));
    page.on("request", (r) => {
      const { protocol, hostname } = new URL(r.url());
      if (!["file:", "data:", "blob:", "about:"].includes(protocol) && hostname !== "127.0.0.1") complaints.push(`asks ${r.url()}`);
    });
  }
  context.on("page", watch);
  context.pages().forEach(watch);
  const close = async () => { await context.close(); rmSync(folder, { recursive: true, force: true }); };
  return { context, complaints, close };
}

/** What `assay.state` says, once it is as wanted. */
export async function stateWhen(page, wanted) {
  await page.waitForFunction(wanted, null, { timeout: 5000 });
  return page.evaluate(() => window.assay.state);
}
export const state = (page) => page.evaluate(() => window.assay.state);
