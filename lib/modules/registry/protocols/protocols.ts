import { exact, memberOf } from "../read.ts";
import { dockerEntry } from "./docker.ts";
import { type Found, officialEntry } from "./official.ts";
import { plainEntry } from "./plain.ts";

/** The requests and the format of one kind of registry. */
export interface Protocol {
  /** URL of the first page, with the search if the registry supports it. */
  first(list: URL, search: string): URL;
  /** Whether the registry filters; otherwise every search needs the complete list. */
  readonly searches: boolean;
  /** The items of a page; undefined if it contains no list. */
  items(page: unknown): readonly unknown[] | undefined;
  /** URL of the next page. */
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
    const cursor = exact(memberOf(memberOf(page, "metadata"), "nextCursor", "next_cursor"), 1000);
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

/** The protocol of registries that are added over an interface. */
export const OFFICIAL = "modelcontextprotocol/registry";

/** The protocol for a name in the configuration; an unknown name means a plain list (reference 10.1). */
export const protocolOf = (word: string): Protocol =>
  Object.hasOwn(PROTOCOLS, word) ? (PROTOCOLS[word] ?? plain) : plain;

function asking(address: URL, query: Readonly<Record<string, string>>): URL {
  const url = new URL(address);
  // A file has no query.
  if (url.protocol === "file:") return url;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** A list, or the first of these members that is a list. */
function listed(page: unknown, ...names: readonly string[]): readonly unknown[] | undefined {
  if (Array.isArray(page)) return page;
  const inside = memberOf(page, ...names);
  if (Array.isArray(inside)) return inside;
  const wrapped = memberOf(inside, ...names);
  return Array.isArray(wrapped) ? wrapped : undefined;
}

/** The next page of a list that contains its complete URL. */
function following(page: unknown, at: URL): URL | undefined {
  const next = exact(memberOf(page, "next"), 4096);
  return next && URL.canParse(next, at.href) ? new URL(next, at) : undefined;
}
