// Finds the headings whose titles or texts have all the words that are asked for.
(() => {
  const root = document.currentScript.dataset.root;
  const input = document.getElementById("search");
  const found = document.getElementById("found");
  const entries = searchIndex.map(([title, context, url, text]) => ({
    title, context, url, text, name: title.toLowerCase(), all: `${title} ${context} ${text}`.toLowerCase(),
  }));

  function rank(entry, words) {
    let rank = 0;
    for (const word of words) {
      if (entry.name === word) rank += 100;
      else if (entry.name.startsWith(word)) rank += 20;
      else if (entry.name.includes(word)) rank += 10;
      else if (entry.all.includes(word)) rank += 1;
      else return 0;
    }
    return rank;
  }

  function show() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const best = entries.map((entry) => [words.length ? rank(entry, words) : 0, entry])
      .filter(([rank]) => rank > 0).sort((one, other) => other[0] - one[0]).slice(0, 12);
    found.replaceChildren(...best.map(([, entry]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const context = document.createElement("span");
      const text = document.createElement("small");
      link.href = root + entry.url;
      context.textContent = entry.context;
      text.textContent = entry.text;
      link.append(entry.title, context, text);
      item.append(link);
      return item;
    }));
    if (words.length && !best.length) {
      const nothing = document.createElement("li");
      nothing.textContent = "Nothing was found.";
      found.append(nothing);
    }
    found.hidden = !words.length;
  }

  input.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    const links = [...found.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "/" && !/^(input|textarea)$/i.test(document.activeElement.tagName)) input.focus();
    else if (event.key === "Escape") { input.value = ""; show(); }
    else if (event.key === "Enter" && document.activeElement === input && links.length) links[0].click();
    else if (event.key === "ArrowDown" && !found.hidden && links.length) links[Math.min(at + 1, links.length - 1)].focus();
    else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] || input).focus();
    else return;
    event.preventDefault();
  });
  // What is narrow shows the pages when they are asked for.
  if (matchMedia("(max-width: 60rem)").matches) document.querySelector("details.menu").open = false;
  document.addEventListener("click", (event) => {
    if (!event.target.closest("search")) found.hidden = true;
  });
})();
