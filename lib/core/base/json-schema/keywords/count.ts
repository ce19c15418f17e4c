/** True for a valid limit, such as the value of `minItems`. */
export const isCount = (value: unknown): value is number => typeof value === "number" && value >= 0;

/** `1 item`, `3 properties`. */
export function countText(n: number, what: string): string {
  if (n === 1) return `1 ${what}`;
  return `${n} ${what === "property" ? "properties" : `${what}s`}`;
}
