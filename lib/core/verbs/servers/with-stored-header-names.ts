import { Fault } from "../../base/fault.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import type { ServerPatch } from "../../config/server-patch.ts";

type Header = readonly [name: string, value: string | null];

/**
 * Gives the headers of a patch the spelling under which they are stored. Letter case does not matter in the name of a
 * header, so `authorization` replaces or removes `Authorization` instead of being stored beside it.
 *
 * A name that is stored as it was sent means that entry alone. If only other spellings are stored, null removes all of
 * them, and a value replaces the last one, which is the one that is sent. A patch that removes one spelling and sets
 * another changes the spelling.
 *
 * @throws Fault invalid_request if the patch sets a header in two spellings
 */
export function withStoredHeaderNames(stored: ServerConfig, patch: ServerPatch): ServerPatch {
  if (!patch.headers) return patch;
  const spellings = byHeader(Object.keys(stored.headers ?? {}), (name) => name);
  const sent = byHeader<Header>(Object.entries(patch.headers), ([name]) => name);
  const headers = [...sent].flatMap(([header, ofHeader]) => {
    const names = spellings.get(header) ?? [];
    return ofHeader.length === 1 ? asStored(ofHeader[0]!, names) : distinct(ofHeader, names);
  });
  return { ...patch, headers: Object.fromEntries(headers) };
}

/** Groups what has the same header name apart from letter case. */
function byHeader<T>(list: readonly T[], nameOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const header = nameOf(one).toLowerCase();
    const group = groups.get(header);
    if (group) group.push(one);
    else groups.set(header, [one]);
  }
  return groups;
}

function asStored([name, value]: Header, spellings: readonly string[]): Header[] {
  if (spellings.length === 0 || spellings.includes(name)) return [[name, value]];
  return (value === null ? spellings : spellings.slice(-1)).map((one) => [one, value]);
}

function distinct(sent: readonly Header[], spellings: readonly string[]): readonly Header[] {
  const known = new Set(spellings);
  const set = sent.flatMap(([name, value]) => (value === null ? [] : [name]));
  if (set.length > 1 && !set.every((name) => known.has(name)))
    throw new Fault("invalid_request", {
      reason: `headers: ${JSON.stringify(set[0])} and ${JSON.stringify(set[1])} are the same header; send it once`,
    });
  return sent;
}
