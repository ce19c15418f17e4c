import { asset } from "../../core/base/asset.ts";

/**
 * The first characters of many expressions as one state table: row `state`, column character gives the next state. A
 * walk begins in `START`; `NO` means that no expression starts like this, `YES` that one may.
 */
export type PrefixTable = Uint16Array;

export const NO = 0;
export const YES = 1;
export const START = 2;
export const COLUMNS = 128;

/** Reads a table that the build has made (`make-prefix-table.ts`). */
export function prefixTable(name: string): PrefixTable {
  // The copy is aligned; the bytes of an asset need not be.
  return new Uint16Array(new Uint8Array(asset(name)).buffer);
}

/** Whether an expression may begin at `at` and is not cut off by `end`; the text must be ASCII there. */
export function beginsAt(heads: PrefixTable, text: string, at: number, end: number): boolean {
  let state = START;
  for (let i = at; i < end; i++) {
    state = heads[state * COLUMNS + text.charCodeAt(i)]!;
    if (state <= YES) return state === YES;
  }
  return false;
}

/** Whether an expression may end with the character at `at`, for a table compiled backwards. */
export function endsAt(heads: PrefixTable, text: string, at: number): boolean {
  let state = START;
  for (let i = at; i >= 0; i--) {
    const code = text.charCodeAt(i);
    if (code >= COLUMNS) return false;
    state = heads[state * COLUMNS + code]!;
    if (state <= YES) return state === YES;
  }
  return false;
}
