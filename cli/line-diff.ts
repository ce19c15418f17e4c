/**
 * Maximum number of lines on each side that are compared, because the comparison is quadratic; longer texts are shown
 * as replaced.
 */
const MAX_LINES = 2000;

/** Compares two texts by line: `-` marks removed, `+` added, two spaces unchanged lines. */
export function lineDiff(before: string, now: string): string {
  const [a, b] = [lines(before), lines(now)];
  if (a.length > MAX_LINES || b.length > MAX_LINES) return [...a.map(minus), ...b.map(plus)].join("\n");
  // common[i][j]: length of the longest common part of a from i and b from j.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
  const out: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push(`  ${a[i]}`);
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && common[i + 1]![j]! >= common[i]![j + 1]!)) out.push(minus(a[i++]!));
    else out.push(plus(b[j++]!));
  }
  return out.join("\n");
}

const lines = (text: string) => (text === "" ? [] : text.split(/\r\n|\r|\n/));
const minus = (line: string) => `- ${line}`;
const plus = (line: string) => `+ ${line}`;
