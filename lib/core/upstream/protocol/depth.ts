/** Deepest nesting of what an upstream sends; whatever walks a value later may recurse this far without care. */
export const MAX_UPSTREAM_DEPTH = 200;

export const TOO_DEEP_TEXT = `its response is nested deeper than ${MAX_UPSTREAM_DEPTH} levels`;

/** Whether a parsed JSON value nests no deeper than that. Costs little where values are flat, as answers are. */
export function isShallow(value: unknown, left = MAX_UPSTREAM_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (left === 0) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && !isShallow(item, left - 1)) return false;
    return true;
  }
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === "object" && !isShallow(item, left - 1)) return false;
  }
  return true;
}
