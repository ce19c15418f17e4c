import MiniSearch from "minisearch";

/** A section as `build/site/site.mjs` writes it. */
type Section = [page: string, anchor: string, title: string, heading: string, text: string, level: number];

interface Found {
  href: string;
  title: string;
  heading: string;
  snippet: string;
}

const MAX_RESULTS = 20;
const SNIPPET_LENGTH = 140;

/** The field for a search, and the list of results below it. */
export function searchBox(): HTMLElement {
  const input = document.createElement("input");
  const list = document.createElement("ul");
  const box = document.createElement("div");
  box.className = "search";
  input.type = "search";
  input.placeholder = "Search (press /)";
  input.autocomplete = "off";
  list.id = "results";
  list.hidden = true;
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-label": "Search the documentation",
    "aria-expanded": "false",
    "aria-controls": list.id,
    "aria-autocomplete": "list",
  }))
    input.setAttribute(name, value);
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Results");
  box.append(input, list);

  let chosen = -1;
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>("a")];
  const choose = (at: number) => {
    chosen = at;
    for (const [i, option] of options().entries()) {
      option.setAttribute("aria-selected", String(i === at));
      if (i !== at) continue;
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }
  };
  const show = (rows: HTMLElement[]) => {
    list.replaceChildren(...rows);
    list.hidden = rows.length === 0;
    input.setAttribute("aria-expanded", String(rows.length > 0));
    input.removeAttribute("aria-activedescendant");
    if (options().length > 0) choose(0);
  };
  const update = async () => {
    const words = input.value.trim();
    if (words === "") return show([]);
    const find = await index().catch(() => undefined);
    if (input.value.trim() !== words) return;
    if (!find) return show([remark("The search needs a web server.")]);
    const found = find(words);
    show(found.length > 0 ? found.map(row) : [remark(`Nothing found for “${words}”.`)]);
  };

  input.oninput = () => void update();
  input.onfocus = () => void index().catch(() => undefined);
  input.onkeydown = (event) => {
    const all = options();
    if (event.key === "Escape") {
      input.value = "";
      show([]);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (all.length === 0) return;
      event.preventDefault();
      choose((chosen + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length);
    } else if (event.key === "Enter") {
      all[chosen]?.click();
    }
  };
  // A link to a section of this page loads no page, so the list would stay open.
  list.onclick = () => show([]);
  box.addEventListener("focusout", (event) => {
    if (!box.contains(event.relatedTarget as Node | null)) show([]);
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLElement && event.target.closest("input, textarea, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
  return box;
}

function row({ href, title, heading, snippet }: Found, at: number): HTMLElement {
  const item = document.createElement("li");
  item.setAttribute("role", "presentation");
  const link = document.createElement("a");
  link.href = href;
  link.id = `result-${at}`;
  link.setAttribute("role", "option");
  const [strong, place, text] = ["strong", "span", "small"].map((tag) => document.createElement(tag)) as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  strong.textContent = heading;
  place.textContent = title;
  text.textContent = snippet;
  link.append(strong, " ", place, text);
  item.append(link);
  return item;
}

function remark(text: string): HTMLElement {
  const item = document.createElement("li");
  item.className = "remark";
  item.setAttribute("role", "status");
  item.textContent = text;
  return item;
}

let loaded: Promise<(words: string) => Found[]> | undefined;

/** Loads the sections at the first use. */
function index(): Promise<(words: string) => Found[]> {
  loaded ??= load().catch((error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function load(): Promise<(words: string) => Found[]> {
  const response = await fetch("sections.json");
  if (!response.ok) throw new Error(`sections.json: ${response.status}`);
  const sections = (await response.json()) as Section[];
  const search = new MiniSearch<{ id: number; title: string; heading: string; text: string }>({
    fields: ["heading", "title", "text"],
    searchOptions: {
      boost: { heading: 4, title: 2 },
      combineWith: "AND",
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  // In slices, so that typing is not delayed.
  await search.addAllAsync(
    sections.map(([, , title, heading, text], id) => ({ id, title, heading, text })),
    { chunkSize: 50 },
  );
  return (words) =>
    search
      .search(words)
      .slice(0, MAX_RESULTS)
      .map(({ id, queryTerms }) => {
        const [page, anchor, title, heading, text] = sections[id as number]!;
        const href = `${page}.html${anchor === "" ? "" : `#${anchor}`}`;
        return { href, title, heading, snippet: snippet(text, queryTerms) };
      });
}

/** The part of a text around the first word that was found, without Markdown. */
function snippet(markdown: string, words: readonly string[]): string {
  const text = markdown
    .replace(/\]\([^)]*\)/g, "")
    .replace(/[`*|[\]#]+|^-+$|<[^>]*>/gm, " ")
    .replace(/[\s-]{2,}/g, " ")
    .trim();
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - 40);
  const start = places.length === 0 || from === 0 ? 0 : text.indexOf(" ", from) + 1;
  const part = text.slice(start, start + SNIPPET_LENGTH);
  return `${start > 0 ? "… " : ""}${part}${start + SNIPPET_LENGTH < text.length ? " …" : ""}`;
}
