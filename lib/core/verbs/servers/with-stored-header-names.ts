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
  const storedNames = Object.keys(stored.headers ?? {});
  const sentHeaders: Header[] = Object.entries(patch.headers);
  const headers = [...new Set(sentHeaders.map(([name]) => name.toLowerCase()))].flatMap((key) => {
    const sent = sentHeaders.filter(([name]) => name.toLowerCase() === key);
    const spellings = storedNames.filter((name) => name.toLowerCase() === key);
    return sent.length === 1 ? asStored(sent[0]!, spellings) : distinct(sent, spellings);
  });
  return { ...patch, headers: Object.fromEntries(headers) };
}

function asStored([name, value]: Header, spellings: readonly string[]): Header[] {
  if (spellings.length === 0 || spellings.includes(name)) return [[name, value]];
  return (value === null ? spellings : spellings.slice(-1)).map((one) => [one, value]);
}

function distinct(sent: readonly Header[], spellings: readonly string[]): readonly Header[] {
  const set = sent.flatMap(([name, value]) => (value === null ? [] : [name]));
  if (set.length > 1 && !set.every((name) => spellings.includes(name)))
    throw new Fault("invalid_request", {
      reason: `headers: ${set.map((name) => JSON.stringify(name)).join(" and ")} are the same header; send it once`,
    });
  return sent;
}
