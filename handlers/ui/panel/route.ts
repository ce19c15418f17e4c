import { createValue, useValue } from "./value.ts";

const BASE = "/ui";

/** The current location: path below /ui, and the query. */
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
  // The browser has already navigated; this goes back until the user has confirmed.
  const { path, query } = here();
  const before = place.get();
  history.pushState(null, "", href(before.path) + search(before.query));
  void go(path + search(query));
});

const search = (query: URLSearchParams) => (query.size > 0 ? `?${query}` : "");

/** The current location; the component is rendered again when it changes. */
export function usePlace(): Place {
  return useValue(place);
}

/** The URL of a path in the panel, such as `/servers/git`, for a link. */
export const href = (path: string) => BASE + path;

/** Builds a path from parts and encodes them: `at("servers", name, "log")`. */
export const at = (...parts: string[]) => `/${parts.map(encodeURIComponent).join("/")}`;

/** Navigates to a path in the panel. */
export async function go(path: string, { replace = false } = {}): Promise<void> {
  if (guard && !(await guard())) return;
  guard = undefined;
  if (replace) history.replaceState(null, "", href(path));
  else history.pushState(null, "", href(path));
  place.set(here());
}

/** Changes query parameters without a new history entry; an empty text removes one. */
export function setQuery(changes: Record<string, string>): void {
  const query = new URLSearchParams(location.search);
  for (const [key, value] of Object.entries(changes)) value === "" ? query.delete(key) : query.set(key, value);
  history.replaceState(null, "", location.pathname + search(query));
  place.set(here());
}

/**
 * Sets the function that decides whether the user may leave while there are unsaved changes; undefined if there are
 * none.
 */
export function guardLeaving(ask: (() => Promise<boolean>) | undefined): void {
  guard = ask;
  window.onbeforeunload = ask ? (event) => event.preventDefault() : null;
}

/** Handles links within the panel without loading the page again. */
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

/** Matches a path against a pattern such as `/servers/{name}` and returns its parameters; undefined without a match. */
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
