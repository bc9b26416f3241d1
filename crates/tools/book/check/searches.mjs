// Asks the index of mdBook, as its search field does, for what newcomers look for.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";

/** Finds searches that do not find their page first or second. */
export function problemsOfSearches(site, paths) {
  const window = { search: {} };
  const context = { window };
  const script = (prefix) => readFileSync(join(site, paths.find((path) => path.startsWith(prefix) && path.endsWith(".js"))), "utf8");
  runInNewContext(script("elasticlunr"), context);
  runInNewContext(script("searchindex"), context);
  const { index, search_options: options, doc_urls: urls } = window.search;
  const loaded = (context.elasticlunr ?? window.elasticlunr).Index.load(index);

  const lines = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "searches.txt"), "utf8").split("\n");
  const searches = lines.filter((line) => line.includes(" => ")).map((line) => line.split(" => "));
  const problems = [];
  for (const [query, page] of searches) {
    if (!paths.includes(page)) problems.push(`searches.txt: there is no page ${page}`);
    const found = loaded.search(query, options).map(({ ref }) => urls[ref]);
    const rank = found.findIndex((url) => url.split("#")[0] === page);
    if (rank < 0 || rank > 1) problems.push(`the search “${query}” finds ${page} as number ${rank + 1}, after ${found.slice(0, 3).join(", ")}`);
  }
  return { problems, count: searches.length };
}
