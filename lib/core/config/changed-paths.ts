import { isJsonObject, sameJson } from "../base/json-object.ts";
import { type Path, pathText } from "../base/path.ts";

/** One difference between two documents. It contains names only, because values may be secrets. */
export interface ChangedPath {
  path: string;
  change: "added" | "removed" | "changed";
}

/** Maximum number of paths listed. */
const MAX_LISTED = 200;

/**
 * Lists the differences between two documents. List entries are matched by their `id` or `name`:
 * `mcpServers.git.enabled`.
 */
export function changedPaths(before: unknown, after: unknown): ChangedPath[] {
  const found: ChangedPath[] = [];
  visit(members(before) ?? new Map(), members(after) ?? new Map(), [], found);
  return found.slice(0, MAX_LISTED);
}

function visit(before: Members, after: Members, path: Path, found: ChangedPath[]): void {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    if (found.length >= MAX_LISTED) return;
    const [a, b] = [before.get(key), after.get(key)];
    if (sameJson(a, b)) continue;
    const at = [...path, key];
    const [left, right] = [members(a), members(b)];
    if (left && right) visit(left, right, at, found);
    else
      found.push({ path: pathText(at), change: a === undefined ? "added" : b === undefined ? "removed" : "changed" });
  }
}

type Members = ReadonlyMap<string, unknown>;

/**
 * Returns the members of a value that are compared one by one; undefined for a list without names, which is one value.
 */
function members(value: unknown): Members | undefined {
  if (isJsonObject(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value)) return undefined;
  const names = value.map((item) => (isJsonObject(item) ? (item.id ?? item.name) : undefined));
  if (names.some((name) => typeof name !== "string")) return undefined;
  return new Map(value.map((item, at) => [names[at] as string, item]));
}
