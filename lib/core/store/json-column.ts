/** A value as JSON text for a column; what is absent is null. */
export function toJsonColumn(value: unknown): string | null {
  return value === undefined ? null : (JSON.stringify(value) ?? null);
}

/** A column's JSON text as what it was written from. The shape is that of the writer's type, so nothing checks it. */
function fromJsonColumn<T>(text: unknown): T {
  return JSON.parse(text as string) as T;
}

/** The columns that are not null, so that absent members stay absent. */
export function withoutNulls<T extends Record<string, unknown>>(row: T): T {
  const out: Record<string, unknown> = {};
  for (const key in row) if (row[key] !== null && row[key] !== undefined) out[key] = row[key];
  return out as T;
}

/** The same, where a damaged column must neither hide other rows nor end the program: `undefined` then. */
export function readableJsonColumn<T>(text: unknown): T | undefined {
  try {
    return fromJsonColumn(text);
  } catch {
    return undefined;
  }
}
