// A browser of Debian's packages, without a screen and without the network.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

/** Opens pages, and collects what no page may do: log errors, ask elsewhere. */
export async function openBrowser(program) {
  const folder = mkdtempSync(join(tmpdir(), "assay-browser-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: program, args: FLAGS, viewport: { width: 1440, height: 900 }, acceptDownloads: true, locale: "en-GB",
  });
  const complaints = [];
  context.on("page", watch);
  context.pages().forEach(watch);
  function watch(page) {
    page.on("console", (m) => { if (m.type() === "error") complaints.push(`console: ${m.text()}`); });
    page.on("pageerror", (e) => complaints.push(`error: ${e.message}`));
    page.on("request", (r) => {
      const { protocol, hostname } = new URL(r.url());
      if (!["file:", "data:", "blob:"].includes(protocol) && hostname !== "127.0.0.1") complaints.push(`asks ${r.url()}`);
    });
  }
  const close = async () => { await context.close(); rmSync(folder, { recursive: true, force: true }); };
  return { context, complaints, close };
}
