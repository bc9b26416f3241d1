// Checks the pages that mdBook makes: node index.mjs FOLDER [--screenshots FOLDER]
//
// Links, titles, headings and alternative texts are read from the pages, and searches ask mdBook's own index. Contrast and overflow are
// looked at in a browser, whose path may be in the variable CHROMIUM, by playwright-core of the playground.
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { inBrowser } from "./browser.mjs";
import { problemsOfLinks, problemsOfPages } from "./pages.mjs";
import { problemsOfSearches } from "./searches.mjs";

const [folder, ...options] = process.argv.slice(2);
if (!folder) throw new Error("usage: node index.mjs FOLDER [--screenshots FOLDER]");
const site = resolve(folder);
const screenshots = options[0] === "--screenshots" ? options[1] : undefined;

const files = readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const paths = files.map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(site.length + 1).replaceAll("\\", "/"));
// The contents are a frame for browsers without scripts, and the playground and the scoreboard are checked by their own tests.
const isPage = (path) => path.endsWith(".html") && !["toc.html", "404.html"].includes(path) && !path.startsWith("playground/") && path !== "docs/scoreboard.html";
const pages = new Map(paths.filter(isPage).map((path) => [path, readFileSync(join(site, path), "utf8")]));

const links = problemsOfLinks(site, pages, new Set(paths));
const structure = problemsOfPages(pages);
const searches = problemsOfSearches(site, paths);
const looked = await inBrowser(site, [...pages.keys()], screenshots);
const problems = [...links.problems, ...structure, ...searches.problems, ...looked.problems];
for (const problem of problems) console.error(`error: ${problem}`);
console.log(`${pages.size} pages, ${links.count} links, ${searches.count} searches, ${looked.count} pages in a browser: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
