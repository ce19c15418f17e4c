import { createValue, useValue } from "./value.ts";

const BASE = "/ui";

/** Where the panel is: path below /ui, and the query. */
interface Place {
  path: string;
  query: URLSearchParams;
}

const here = (): Place => ({
  path: location.pathname.slice(BASE.length) || "/",
  query: new URLSearchParams(location.search),
});

const place = createValue<Place>(here());
let guard: (() => Promise<boolean>) | undefined;

addEventListener("popstate", () => {
  if (!guard) return place.set(here());
  // The browser has gone already: it is brought back until the person has said so.
  const { path, query } = here();
  const before = place.get();
  history.pushState(null, "", href(before.path) + search(before.query));
  void go(path + search(query));
});

const search = (query: URLSearchParams) => (query.size > 0 ? `?${query}` : "");

/** The place now; the component is drawn again when it changes. */
export function usePlace(): Place {
  return useValue(place);
}

/** The address of a place of the panel, such as `/servers/git`, for a link. */
export const href = (path: string) => BASE + path;

/** A path of encoded parts: `at("servers", name, "log")`. */
export const at = (...parts: string[]) => `/${parts.map(encodeURIComponent).join("/")}`;

/** Goes to a place of the panel. */
export async function go(path: string, { replace = false } = {}): Promise<void> {
  if (guard && !(await guard())) return;
  guard = undefined;
  if (replace) history.replaceState(null, "", href(path));
  else history.pushState(null, "", href(path));
  place.set(here());
}

/** Sets a part of the query without a new entry in the history; an empty text takes it away. */
export function setQuery(changes: Record<string, string>): void {
  const query = new URLSearchParams(location.search);
  for (const [key, value] of Object.entries(changes)) value === "" ? query.delete(key) : query.set(key, value);
  history.replaceState(null, "", location.pathname + search(query));
  place.set(here());
}

/** While something is unsaved, `ask` decides whether the person may leave. Undefined: nothing is. */
export function guardLeaving(ask: (() => Promise<boolean>) | undefined): void {
  guard = ask;
  window.onbeforeunload = ask ? (event) => event.preventDefault() : null;
}

/** Links within the panel do not load the page anew. */
export function followLinks(root: HTMLElement): void {
  root.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element).closest("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (!link.pathname.startsWith(`${BASE}/`) || link.hash !== "") return;
    event.preventDefault();
    void go(link.pathname.slice(BASE.length) + link.search);
  });
}

/** The parameters of a path that fits a pattern such as `/servers/{name}`; undefined when it does not fit. */
export function fits(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const given = path.replace(/(.)\/$/, "$1").split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined && part !== given[i]) return undefined;
    if (name !== undefined) params[name] = decoded(given[i] ?? "");
  }
  return params;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
