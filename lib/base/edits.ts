/**
 * How many edits one text is from another: a character more, less, another, or two neighbours swapped (optimal string
 * alignment).
 *
 * @param most farther is not looked
 * @returns 0 to `most`, or `most + 1` for whatever is farther
 */
export function edits(a: string, b: string, most: number): number {
  const far = most + 1;
  if (Math.abs(a.length - b.length) > most) return far;
  const [one, other] = withoutCommonEnds(a, b);
  let older: number[] = [];
  let old = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i++) {
    const row = new Array<number>(other.length + 1).fill(far);
    row[0] = i;
    let least = i;
    for (let j = Math.max(1, i - most); j <= Math.min(other.length, i + most); j++) {
      const kept = old[j - 1]! + Number(one[i - 1] !== other[j - 1]);
      row[j] = Math.min(kept, old[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        row[j] = Math.min(row[j]!, older[j - 2]! + 1);
      least = Math.min(least, row[j]!);
    }
    if (least > most) return far;
    [older, old] = [old, row];
  }
  return Math.min(old[other.length]!, far);
}

function withoutCommonEnds(a: string, b: string): [string, string] {
  const shorter = Math.min(a.length, b.length);
  let from = 0;
  while (from < shorter && a[from] === b[from]) from++;
  let end = 0;
  while (end < shorter - from && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [a.slice(from, a.length - end), b.slice(from, b.length - end)];
}
