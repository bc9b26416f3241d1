// Opens the packed extension in VS Code's server and in Chromium, and checks what a user sees there: a problem, completion, a
// value on hover, and formatting.
//
//   node test/browser.mjs CODE_SERVER HCL VSIX [SCREENSHOT]
//
// CODE_SERVER is the file `out/node/entry.js` of the npm package `code-server`, HCL the program `hcl`. Needs the npm package
// `playwright-core`, and Chromium at CHROMIUM or /usr/bin/chromium.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const [server, hcl, vsix, screenshot] = process.argv.slice(2).map((path) => resolve(path));
if (!vsix) {
  console.error("usage: node test/browser.mjs CODE_SERVER HCL VSIX [SCREENSHOT]");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "hcl-vscode-"));
const workspace = join(folder, "workspace");
const file = join(workspace, "main.tf");
const data = ["--user-data-dir", join(folder, "data"), "--extensions-dir", join(folder, "extensions")];
const port = 20_000 + (process.pid % 20_000);

mkdirSync(workspace, { recursive: true });
mkdirSync(join(folder, "data", "User"), { recursive: true });
writeFileSync(file, 'variable "region" {\n  default = "eu-west-1"\n}\n\nlocals {\n  zone   = "${var.region}a"\n  wrong = var.regoin\n}\n');
const settings = { "hcl.path": hcl, "hcl.languageIds": ["hcl", "terraform"], "security.workspace.trust.enabled": false, "workbench.startupEditor": "none", "editor.stickyScroll.enabled": false };
writeFileSync(join(folder, "data", "User", "settings.json"), JSON.stringify(settings));
execFileSync(process.execPath, [server, ...data, "--install-extension", vsix], { stdio: "inherit" });

const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check"];
const running = spawn(process.execPath, [server, ...data, ...options, workspace], { stdio: ["ignore", "pipe", "inherit"] });
try {
  await new Promise((done, fail) => {
    running.on("exit", (code) => fail(new Error(`code-server ended with ${code}`)));
    running.stdout.on("data", (text) => String(text).includes("listening on") && done());
  });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.setDefaultTimeout(60_000);
    await page.goto(`http://127.0.0.1:${port}/?folder=${workspace}`);
    await page.locator(".monaco-list-row", { hasText: "main.tf" }).dblclick();
    const editor = page.locator(".monaco-editor .view-lines").first();

    // A problem under the name that is misspelled.
    await page.locator(".squiggly-error").first().waitFor();
    await page.keyboard.press("Control+Shift+M");
    const problem = page.locator(".markers-panel .monaco-list-row", { hasText: "regoin" }).first();
    console.log("problem:", (await problem.innerText()).replaceAll("\n", " "));

    // The value on hover.
    await editor.getByText("zone", { exact: false }).first().hover({ position: { x: 25, y: 5 } });
    const hover = page.locator(".monaco-hover", { hasText: "eu-west-1a" });
    await hover.waitFor();
    console.log("hover:", (await hover.innerText()).trim().replaceAll("\n", " "));

    // Completion of the name, which mends the problem.
    await editor.getByText("regoin").first().dblclick();
    await page.keyboard.press("ArrowRight");
    for (let letter = 0; letter < "regoin".length; letter += 1) await page.keyboard.press("Backspace");
    // Letters alone ask for completions.
    await page.keyboard.type("reg", { delay: 50 });
    const offered = page.locator(".suggest-widget .monaco-list-row", { hasText: "region" });
    await offered.first().waitFor();
    console.log("offered:", await page.locator(".suggest-widget .monaco-list-row").allInnerTexts());
    await page.keyboard.press("Enter");
    await page.locator(".squiggly-error").first().waitFor({ state: "detached" });

    // Formatting, and the file on the disk.
    const text = 'variable "region" {\n  default = "eu-west-1"\n}\n\nlocals {\n  zone  = "${var.region}a"\n  wrong = var.region\n}\n';
    await page.keyboard.press("Control+Shift+I");
    for (let wait = 0; wait < 50 && readFileSync(file, "utf8") !== text; wait += 1) {
      await page.keyboard.press("Control+S");
      await page.waitForTimeout(200);
    }
    if (screenshot) await page.screenshot({ path: screenshot });
    assert.equal(readFileSync(file, "utf8"), text);
    console.log("saved as expected");
  } catch (error) {
    if (screenshot) await browser.contexts()[0]?.pages()[0]?.screenshot({ path: screenshot });
    throw error;
  } finally {
    await browser.close();
  }
} finally {
  running.removeAllListeners("exit");
  running.kill();
  rmSync(folder, { recursive: true, force: true });
}
