import type { App } from "../app.ts";
import { directIdOf } from "../catalog/direct-names.ts";
import { splitToolId } from "../policy/tool-id.ts";
import type { Caller } from "../schema/caller.ts";
import type { ToolRow } from "../schema/tool.ts";
import { similarIds } from "./similar-ids.ts";
import { visibleTo } from "./tool-snapshot.ts";

/** Separators between server and tool in other systems: `git__log`, `git/log`, `git.log`. */
const SEPARATORS = ["__", "/", ".", "-"];
/** Longer names get no suggestions. (characters) */
const MAX_LENGTH = 512;

/** Maximum number of suggestions (spec 000 §8). */
const LIMIT = 3;

/**
 * Returns suggested ids for a name, among the tools that this caller may see: the tool with this direct-mode name, the
 * tool written with another separator, tools with this name if the server is missing, otherwise ids with a similar
 * spelling.
 */
export function suggestIds(app: App, caller: Caller, written: string): string[] {
  if (written.length > MAX_LENGTH) return [];
  const name = written.trim();
  const direct = directIdOf(app.catalog, name);
  const sees = visibleTo(app, caller);
  const exact = [direct, ...otherSpellings(name)].find((id) => {
    const row = id === undefined ? undefined : app.catalog.get(id);
    return row !== undefined && sees(row);
  });
  if (exact !== undefined) return [exact];
  const named = splitToolId(name) ? [] : sameName(app, sees, name);
  if (named.length > 0) return named;
  const suggest = similarIds(app, caller);
  return [name, ...(splitToolId(name) ? [] : otherSpellings(name))].map(suggest).find((ids) => ids.length > 0) ?? [];
}

/** The ids of the tools that have this name, in the order of the servers. */
function sameName(app: App, sees: (row: ToolRow) => boolean, name: string): string[] {
  const found: string[] = [];
  for (const server of app.config.current().mcpServers) {
    const row = app.catalog.get(`${server.name}:${name}`);
    if (row && sees(row)) found.push(row.id);
    if (found.length === LIMIT) break;
  }
  return found;
}

function otherSpellings(name: string): string[] {
  if (splitToolId(name)) return [];
  return SEPARATORS.flatMap((separator) => {
    const at = name.indexOf(separator, 1);
    return at < 0 ? [] : [`${name.slice(0, at)}:${name.slice(at + separator.length)}`];
  });
}
