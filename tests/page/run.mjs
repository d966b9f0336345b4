// Looks at the page with a real browser.
//   run.mjs PROGRAM DATA CHROMIUM PACKAGES [WORD]    WORD chooses checks by name
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBrowser } from "./browser.mjs";
import * as file from "./file_checks.mjs";
import * as serve from "./serve_checks.mjs";
import * as states from "./state_checks.mjs";

const [program, data, chromium, packages, word = ""] = process.argv.slice(2);
const browser = await openBrowser(chromium, packages);
const tools = { ...browser, program, data, folder: mkdtempSync(join(tmpdir(), "assay-page-")) };
let passed = 0, failed = 0;

for (const suite of [file, states, serve]) {
  suite.prepare?.(tools);
  for (const [name, check] of Object.entries(suite.checks)) {
    if (!name.includes(word)) continue;
    const start = Date.now();
    tools.complaints.length = 0;
    try {
      await check(tools);
      if (tools.complaints.length) throw new Error(`the page complains: ${tools.complaints.join("; ")}`);
      passed++;
      console.log(`${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed++;
      console.log(`${name}: ${error.stack}`);
    }
  }
}
await browser.close();
rmSync(tools.folder, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
