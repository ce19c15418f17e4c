/** A piece of text without a break: tokens, addresses, words. */
export interface Run {
  start: number;
  end: number;
}

const IN_RUN = tableOf("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+/=:@%~!*&?#$-");

/**
 * The runs of at least `least` characters that begin in `[from, to)`; they may end beyond. Looks at every `least`th
 * character only, since no such run fits between two of them.
 */
export function* runs(text: string, from: number, to: number, least: number): Generator<Run> {
  const inRun = (at: number) => IN_RUN[text.charCodeAt(at)] === 1;
  let floor = from;
  // A run that began before belongs to who looked there.
  while (floor > 0 && floor < text.length && inRun(floor) && inRun(floor - 1)) floor++;
  for (let at = floor + least - 1; at < text.length; at += least) {
    if (!inRun(at)) {
      floor = at + 1;
      continue;
    }
    let start = at;
    while (start > floor && inRun(start - 1)) start--;
    if (start >= to) return;
    let end = at + 1;
    while (end < text.length && inRun(end)) end++;
    if (end - start >= least) yield { start, end };
    floor = end + 1;
    at = end;
  }
}

/** Beyond ASCII nothing is part of a run. */
function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(65_536);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
