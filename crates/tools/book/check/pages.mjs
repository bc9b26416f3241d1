// What can be checked in the HTML of the pages: links, and what screen readers and search engines need.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

const attributes = (html, name) => Array.from(html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g")), (match) => unescaped(match[1]));
const unescaped = (text) => text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name] ?? "'");

/** Finds links within the site that lead nowhere. */
export function problemsOfLinks(site, pages, paths) {
  const anchors = new Map();
  const anchorsOf = (path) => {
    if (!anchors.has(path)) anchors.set(path, new Set(attributes(pages.get(path) ?? readFileSync(join(site, path), "utf8"), "id")));
    return anchors.get(path);
  };
  const problems = [];
  let count = 0;
  for (const [path, html] of pages) {
    for (const link of [...attributes(html, "href"), ...attributes(html, "xlink:href"), ...attributes(html, "src")]) {
      if (/^(https?:|mailto:|data:)/.test(link)) continue;
      count += 1;
      const [file, anchor] = link.split("#");
      const target = file === "" ? path : posix.normalize(posix.join(dirname(path), decodeURIComponent(file)));
      if (!paths.has(target) && !existsSync(join(site, target, "index.html"))) problems.push(`${path}: the link ${link} leads nowhere`);
      else if (anchor && target.endsWith(".html") && !anchorsOf(target).has(decodeURIComponent(anchor))) problems.push(`${path}: the link ${link} leads to no anchor`);
    }
  }
  return { problems, count };
}

/** Finds pages without what a page needs: a language, a title of its own, one main heading, levels without gaps, and names for pictures and frames. */
export function problemsOfPages(pages) {
  const problems = [];
  const titles = new Map();
  for (const [path, html] of pages) {
    const main = /<main>([\s\S]*)<\/main>/.exec(html)?.[1];
    const claim = (isFine, problem) => { if (!isFine) problems.push(`${path}: ${problem}`); };
    claim(main !== undefined, "there is no <main>");
    claim(/<html lang="en"/.test(html), "the language is missing");
    claim(/<meta name="viewport"/.test(html), "the viewport is missing");
    claim(/<meta name="description" content="[^"]+"/.test(html), "the description is missing");
    const title = /<title>([^<]*)<\/title>/.exec(html)?.[1]?.trim() ?? "";
    claim(title !== "", "the title is missing");
    claim(!titles.has(title), `the title “${title}” is also that of ${titles.get(title)}`);
    titles.set(title, path);
    const levels = Array.from((main ?? "").matchAll(/<h([1-6])[\s>]/g), (match) => Number(match[1]));
    claim(levels.filter((level) => level === 1).length === 1, "there is not one main heading");
    const gap = levels.findIndex((level, index) => index > 0 && level > levels[index - 1] + 1);
    claim(gap < 0, `a heading of level ${levels[gap]} follows one of level ${levels[gap - 1]}`);
    for (const [image] of (main ?? "").matchAll(/<img\b[^>]*>/g)) claim(/\salt="[^"]+"/.test(image), `a picture has no alternative text: ${image}`);
    for (const [frame] of (main ?? "").matchAll(/<iframe\b[^>]*>/g)) claim(/\stitle="[^"]+"/.test(frame), `a frame has no title: ${frame}`);
    for (const [chart] of (main ?? "").matchAll(/<svg\b[^>]*>/g)) {
      claim(/\saria-label="[^"]+"|aria-hidden="true"|class="(fa|railroad)/.test(chart), `a chart has no name: ${chart}`);
    }
    const ids = attributes(main ?? "", "id");
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    claim(twice === undefined, `two elements have the id ${twice}`);
  }
  return problems;
}
