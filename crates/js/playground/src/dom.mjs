// Elements. Texts are never read as HTML.

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [property, value] of Object.entries(properties)) {
    if (property.startsWith("on")) made.addEventListener(property.slice(2), value);
    else if (property in made) made[property] = value;
    else made.setAttribute(property, value);
  }
  made.append(...children);
  return made;
}

/** Fills a list of tabs. Arrow keys move between them, as people expect of tabs. */
export function fillTabs(list, names, active, choose) {
  const had = list.contains(document.activeElement);
  const tabs = names.map(({ id, label }) => {
    const isActive = id === active;
    return element("button", {
      type: "button", role: "tab", "aria-selected": String(isActive), tabIndex: isActive ? 0 : -1, "data-id": String(id),
      onclick: () => choose(id),
      onkeydown: (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const at = names.findIndex((tab) => tab.id === id);
        choose(names[(at + step + names.length) % names.length].id);
      },
    }, label);
  });
  list.replaceChildren(...tabs);
  if (had) tabs.find((tab) => tab.tabIndex === 0)?.focus();
}
