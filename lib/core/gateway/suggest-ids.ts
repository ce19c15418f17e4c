import type { App } from "../app.ts";
import { directIdOf } from "../catalog/direct-names.ts";
import { splitToolId } from "../policy/tool-id.ts";
import type { Caller } from "../schema/caller.ts";
import { similarIds } from "./similar-ids.ts";
import { visibleTo } from "./tool-snapshot.ts";

/** Separators between server and tool in other systems: `git__log`, `git/log`, `git.log`. */
const SEPARATORS = ["__", "/", ".", "-"];
/** Longer names get no suggestions. (characters) */
const MAX_LENGTH = 512;

/**
 * Returns suggested ids for a name, among the tools that this caller may see: the tool with this direct-mode name, the
 * tool written with another separator, otherwise ids with a similar spelling.
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
  const suggest = similarIds(app, caller);
  return [name, ...(splitToolId(name) ? [] : otherSpellings(name))].map(suggest).find((ids) => ids.length > 0) ?? [];
}

function otherSpellings(name: string): string[] {
  if (splitToolId(name)) return [];
  return SEPARATORS.flatMap((separator) => {
    const at = name.indexOf(separator, 1);
    return at < 0 ? [] : [`${name.slice(0, at)}:${name.slice(at + separator.length)}`];
  });
}
