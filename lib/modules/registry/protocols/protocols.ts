import { exact, member } from "../read.ts";
import { dockerEntry } from "./docker.ts";
import { type Found, officialEntry } from "./official.ts";
import { plainEntry } from "./plain.ts";

/** How a kind of registry is asked and read. */
export interface Protocol {
  /** The first page of its list, narrowed to a search where it can do that. */
  first(list: URL, search: string): URL;
  /** It narrows by itself; else the whole list is needed for any search. */
  readonly searches: boolean;
  /** The items of a page; undefined when it is no list. */
  items(page: unknown): readonly unknown[] | undefined;
  /** The page after this one. */
  next(page: unknown, at: URL): URL | undefined;
  read(item: unknown): Found | undefined;
}

const PAGE = "100";

const official: Protocol = {
  first(list, search) {
    return asking(list, { limit: PAGE, version: "latest", ...(search !== "" && { search }) });
  },
  searches: true,
  items: (page) => listed(page, "servers"),
  next(page, at) {
    const cursor = exact(member(member(page, "metadata"), "nextCursor", "next_cursor"), 1000);
    return cursor ? asking(at, { cursor }) : undefined;
  },
  read: officialEntry,
};

const docker: Protocol = {
  first: (list) => asking(list, { page_size: PAGE }),
  searches: false,
  items: (page) => listed(page, "results"),
  next: following,
  read: dockerEntry,
};

const plain: Protocol = {
  first: (list) => new URL(list),
  searches: false,
  items: (page) => listed(page, "servers", "items", "results", "data"),
  next: following,
  read: plainEntry,
};

const pulse: Protocol = {
  ...plain,
  first: (list, search) => asking(list, { count_per_page: PAGE, ...(search !== "" && { query: search }) }),
  searches: true,
};

const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  "modelcontextprotocol/registry": official,
  "builtin/reference": official,
  "custom/docker": docker,
  "custom/pulse": pulse,
};

/** The one a registry added over the interfaces speaks. */
export const OFFICIAL = "modelcontextprotocol/registry";

/** How a registry is read, by its word in the configuration; another word stands for a plain list (reference 10.1). */
export const protocolOf = (word: string): Protocol =>
  Object.hasOwn(PROTOCOLS, word) ? (PROTOCOLS[word] ?? plain) : plain;

function asking(address: URL, query: Readonly<Record<string, string>>): URL {
  const url = new URL(address);
  // A file has no query.
  if (url.protocol === "file:") return url;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** A list, or the first member of these names that is one, however it is wrapped. */
function listed(page: unknown, ...names: readonly string[]): readonly unknown[] | undefined {
  if (Array.isArray(page)) return page;
  const inside = member(page, ...names);
  if (Array.isArray(inside)) return inside;
  const wrapped = member(inside, ...names);
  return Array.isArray(wrapped) ? wrapped : undefined;
}

/** Lists that name the whole address of the next page. */
function following(page: unknown, at: URL): URL | undefined {
  const next = exact(member(page, "next"), 4096);
  return next && URL.canParse(next, at.href) ? new URL(next, at) : undefined;
}
