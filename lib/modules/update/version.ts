/** A version number: `1.4.0`, `1.4.0-rc.2`. */
export interface Version {
  numbers: readonly [number, number, number];
  /** The pre-release identifiers after the dash; empty for a final release. */
  pre: readonly string[];
}

/** Reads a version with or without a leading `v`; build metadata is ignored. Undefined for any other text. */
export function parseVersion(text: string): Version | undefined {
  const found = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,64}))?(?:\+[0-9A-Za-z.-]{1,64})?$/.exec(
    text.trim(),
  );
  if (!found) return undefined;
  const [, major, minor, patch, pre = ""] = found;
  return { numbers: [Number(major), Number(minor), Number(patch)], pre: pre === "" ? [] : pre.split(".") };
}

/** Below 0 when `a` is the older one (semver 2.0, rule 11). */
export function compareVersions(a: Version, b: Version): number {
  for (const i of [0, 1, 2] as const) if (a.numbers[i] !== b.numbers[i]) return a.numbers[i] - b.numbers[i];
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (let i = 0; i < Math.max(a.pre.length, b.pre.length); i++) {
    const order = comparePart(a.pre[i], b.pre[i]);
    if (order !== 0) return order;
  }
  return 0;
}

function comparePart(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const [x, y] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (x && y) return Number(a) - Number(b);
  if (x !== y) return x ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
