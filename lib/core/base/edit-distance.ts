/** A limit on the work of several comparisons. Each comparison subtracts the characters and cells that it visits. */
export interface WorkBudget {
  left: number;
}

/**
 * Returns the number of edits between two texts: an insertion, deletion, substitution or swap of two neighbours
 * (optimal string alignment). Time is proportional to length × `most`.
 *
 * @param maxDistance the largest distance that the caller is interested in
 * @param work the budget from which the cost of the comparison is subtracted
 * @returns 0 to `most`, or `most + 1` for any larger distance
 */
export function editDistance(a: string, b: string, maxDistance: number, work?: WorkBudget): number {
  const far = maxDistance + 1;
  if (Math.abs(a.length - b.length) > maxDistance) return far;
  const from = commonPrefix(a, b);
  const end = commonSuffix(a, b, from);
  if (work) work.left -= from + end + 2;
  const rows = a.length - from - end;
  const columns = b.length - from - end;
  if (rows === 0 || columns === 0) return Math.min(rows + columns, far);
  let older = new Array<number>(columns + 2).fill(far);
  let twoRowsBack = older.map((_, j) => Math.min(j, far));
  let row = [...older];
  for (let i = 1; i <= rows; i++) {
    const first = Math.max(1, i - maxDistance);
    const last = Math.min(columns, i + maxDistance);
    if (work) work.left -= last - first + 1;
    const code = a.charCodeAt(from + i - 1);
    const before = i > 1 ? a.charCodeAt(from + i - 2) : -1;
    // Only the cells near the diagonal are computed, and the cells beside them that the next row reads.
    row[first - 1] = first === 1 ? Math.min(i, far) : far;
    let rowMinimum = row[first - 1]!;
    for (let j = first; j <= last; j++) {
      const other = b.charCodeAt(from + j - 1);
      let cell = Math.min(twoRowsBack[j - 1]! + (code === other ? 0 : 1), twoRowsBack[j]! + 1, row[j - 1]! + 1);
      if (j > 1 && code === b.charCodeAt(from + j - 2) && before === other) cell = Math.min(cell, older[j - 2]! + 1);
      row[j] = cell;
      if (cell < rowMinimum) rowMinimum = cell;
    }
    row[last + 1] = far;
    if (rowMinimum > maxDistance) return far;
    [older, twoRowsBack, row] = [twoRowsBack, row, older];
  }
  return Math.min(twoRowsBack[columns]!, far);
}

function commonPrefix(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let n = 0;
  while (n < shorter && a.charCodeAt(n) === b.charCodeAt(n)) n++;
  return n;
}

function commonSuffix(a: string, b: string, from: number): number {
  const shorter = Math.min(a.length, b.length) - from;
  let n = 0;
  while (n < shorter && a.charCodeAt(a.length - 1 - n) === b.charCodeAt(b.length - 1 - n)) n++;
  return n;
}
