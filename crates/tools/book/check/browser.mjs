// What only a browser knows: contrast of texts in both colour schemes, and pages that are wider than a phone.
import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const SCHEMES = { light: "light", dark: "navy" };

async function launch() {
  try {
    const require = createRequire(new URL("../../../js/playground/package.json", import.meta.url));
    const { chromium } = require("playwright-core");
    return await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  } catch (error) {
    console.log(`skipped: contrast and widths, because there is no browser here: ${String(error.message).split("\n")[0]}`);
    return undefined;
  }
}

/** Looks at the pages in both colour schemes and on the width of a phone. Chapters of the specification look alike, so that one of them is enough. */
export async function inBrowser(site, pages, screenshots) {
  const browser = await launch();
  if (!browser) return { problems: [], count: 0 };
  const problems = [];
  const chosen = pages.filter((path) => !path.startsWith("tests/spec/") || path.includes("07-"));
  try {
    if (screenshots) mkdirSync(screenshots, { recursive: true });
    for (const [scheme, theme] of Object.entries(SCHEMES)) {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme: scheme });
      for (const path of chosen) {
        await page.goto(pathToFileURL(join(site, path)).href);
        await page.evaluate((name) => { document.documentElement.className = `js ${name}`; }, theme);
        for (const { ratio, text } of await page.evaluate(poorContrast)) problems.push(`${path} (${theme}): contrast ${ratio.toFixed(1)} of “${text}”`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        if (wide > 0) problems.push(`${path}: ${wide} pixels wider than a phone`);
      }
      await page.close();
    }
    if (screenshots) {
      for (const [name, width, height] of [["desktop", 1280, 1600], ["phone", 390, 2400]]) {
        const page = await browser.newPage({ viewport: { width, height } });
        await page.goto(pathToFileURL(join(site, "index.html")).href);
        await page.waitForTimeout(3000);
        await page.screenshot({ path: join(screenshots, `${name}.png`) });
        await page.close();
      }
    }
  } finally {
    await browser.close();
  }
  return { problems, count: chosen.length };
}

/** Runs in the page: the texts with less contrast than WCAG 2.2 AA demands, one for each pair of colours. */
function poorContrast() {
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, alpha = 1] = channels(getComputedStyle(at).backgroundColor);
      if (alpha === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const found = new Map();
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("svg, iframe, script, style")) continue;
    const style = getComputedStyle(element);
    const back = backgroundOf(element);
    const [light, dark] = [luminance(channels(style.color)), luminance(back)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const key = `${style.color} ${back}`;
    if (ratio < (isLarge ? 3 : 4.5) && !found.has(key)) found.set(key, { ratio, text: node.data.trim().slice(0, 40) });
  }
  return [...found.values()];
}
