/** Converts a value to JSON text for a column; undefined becomes null. */
export function toJsonColumn(value: unknown): string | null {
  return value === undefined ? null : (JSON.stringify(value) ?? null);
}

/** Parses the JSON text of a column. The type is not checked, because only the store writes the column. */
function fromJsonColumn<T>(text: unknown): T {
  return JSON.parse(text as string) as T;
}

/** Copies a row without its null columns, so that absent members stay absent. */
export function withoutNulls<T extends Record<string, unknown>>(row: T): T {
  const out: Record<string, unknown> = {};
  for (const key in row) if (row[key] !== null && row[key] !== undefined) out[key] = row[key];
  return out as T;
}

/**
 * Parses a column that may be damaged; returns `undefined` then, so that one damaged row neither hides others nor ends
 * the program.
 */
export function readableJsonColumn<T>(text: unknown): T | undefined {
  try {
    return fromJsonColumn(text);
  } catch {
    return undefined;
  }
}
