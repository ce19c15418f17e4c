import { lazy } from "../../core/base/lazy.ts";
import { ASSIGN, AT, DIGIT, HYPHEN, inRun, LETTER_B, RUN, SORTS, TELLS, UNDERSCORE } from "./characters.ts";
import { isBearer, tellsFile } from "./clues.ts";
import { endsAt, prefixTable } from "./prefix-table.ts";
import { lookThrough, type RunCandidates } from "./runs.ts";
import { SHORTEST } from "./shapes.ts";

/**
 * The positions in a text at which the expensive expressions can match. A member that is undefined or -1 has no such
 * position in the window; any other is the position of the first possible match.
 */
export interface Candidates extends RunCandidates {
  keyBlock: number;
  /**
   * Positions of the `=` or `:` after a name of `KEYED`. If there are too many to list, this is undefined and
   * `assignedFrom` is set.
   */
  assigned: number[] | undefined;
  assignedFrom: number;
  wide: number;
  goDsn: number;
  bearer: number;
  file: boolean;
  /** Start positions of digit sequences that are long enough for a card. */
  cards: number[] | undefined;
  /** Start positions of possible account numbers. */
  ibans: number[] | undefined;
}

/** Number of digits of the shortest card. */
const CARD_DIGITS = 14;
/** Maximum distance from the start of a match to its characteristic part (characters); names of values are shorter. */
const BEYOND = 64;
/** Longest part of a match of `WIDE_SHAPES` before its characteristic part (characters). */
const WIDE_BEFORE = 40;

/** The ends of the names of `KEYED`, read backwards. */
const nameEnds = lazy(() => prefixTable("detect-name-ends.bin"));

/**
 * Scans the window once for the characters that a match requires. Every match that `find` can report has its position
 * in the result; most positions in the result are no match.
 *
 * @param files whether paths of secret files count too
 */
export function findCandidates(text: string, from: number, to: number, files: boolean): Candidates {
  const candidates: Candidates = {
    keyBlock: -1,
    assigned: undefined,
    assignedFrom: -1,
    wide: -1,
    goDsn: -1,
    bearer: -1,
    file: false,
    cards: undefined,
    ibans: undefined,
    shapes: undefined,
    chains: undefined,
  };
  const end = Math.min(text.length, to + BEYOND);
  let lastDigit = -3;
  let row = 0;
  let rowStart = 0;
  // A run that began before the window belongs to the previous window.
  const isOthers = from > 0 && inRun(text, from) && inRun(text, from - 1);
  let runStart = isOthers || from >= to ? text.length : from;
  for (let at = from; at < end; at++) {
    const sort = SORTS[text.charCodeAt(at)]!;
    if ((sort & RUN) === 0) {
      if (at - runStart >= SHORTEST) lookThrough(text, runStart, at, candidates);
      runStart = at + 1;
      if (runStart >= to) runStart = text.length;
    }
    const tell = sort >> TELLS;
    if (tell === 0) continue;
    if (tell === DIGIT) {
      if (at - lastDigit === 1 || (at - lastDigit === 2 && isSeparator(text.charCodeAt(at - 1)))) row++;
      else {
        row = 1;
        rowStart = at;
      }
      if (row === CARD_DIGITS) {
        candidates.cards ??= [];
        candidates.cards.push(rowStart);
      }
      if (at - lastDigit === 1 && beginsIban(text, at) && at - 3 >= from) {
        candidates.ibans ??= [];
        candidates.ibans.push(at - 3);
      }
      lastDigit = at;
    } else if (tell === ASSIGN) {
      if (endsName(text, at)) addAssigned(at, from, to, candidates);
      const letter = text.charCodeAt(at - 1);
      if ((letter === 114 || letter === 101) && candidates.wide < 0 && endsServer(text, at))
        candidates.wide = Math.max(from, at - WIDE_BEFORE);
    } else if (tell === HYPHEN) {
      if (candidates.keyBlock < 0 && text.charCodeAt(at + 1) === 66 && text.startsWith("-----BEGIN ", at - 4))
        candidates.keyBlock = Math.max(from, at - 4);
      if (files) candidates.file ||= tellsFile(text, at);
    } else if (tell === UNDERSCORE) {
      if (candidates.wide < 0 && text.charCodeAt(at + 1) === 97 && text.startsWith("service_account", at - 7))
        candidates.wide = Math.max(from, at - WIDE_BEFORE);
      if (files) candidates.file ||= tellsFile(text, at);
    } else if (tell === AT) {
      if (candidates.goDsn < 0 && (text.startsWith("@tcp(", at) || text.startsWith("@unix(", at)))
        candidates.goDsn = at;
    } else if (tell === LETTER_B) {
      if (candidates.bearer < 0 && isBearer(text, at)) candidates.bearer = at;
    } else if (files && !candidates.file) candidates.file = tellsFile(text, at);
  }
  if (runStart < to) {
    let runEnd = Math.max(end, runStart);
    while (runEnd < text.length && inRun(text, runEnd)) runEnd++;
    if (runEnd - runStart >= SHORTEST) lookThrough(text, runStart, runEnd, candidates);
  }
  return candidates;
}

/** Whether the scan found no candidate. */
export function areNone(candidates: Candidates): boolean {
  return (
    candidates.keyBlock < 0 &&
    candidates.assignedFrom < 0 &&
    candidates.wide < 0 &&
    candidates.goDsn < 0 &&
    candidates.bearer < 0 &&
    !candidates.file &&
    candidates.cards === undefined &&
    candidates.ibans === undefined &&
    candidates.shapes === undefined &&
    candidates.chains === undefined
  );
}

/** Whether the character can separate the digits of a card. */
function isSeparator(code: number): boolean {
  return code === 32 || code === 45 || code === 46;
}

/** Whether a name of `KEYED` ends before the `=` or `:` at this position. */
function endsName(text: string, operator: number): boolean {
  let at = operator - 1;
  for (let i = 0; i < 4 && isSpace(text.charCodeAt(at)); i++) at--;
  for (let i = 0; i < 2 && isClosing(text.charCodeAt(at)); i++) at--;
  for (let i = 0; i < 3 && text.charCodeAt(at) === 92; i++) at--;
  return endsAt(nameEnds(), text, at);
}

/** Whether the character is white space or not ASCII; no name ends with one. */
function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code > 127;
}

function isClosing(code: number): boolean {
  return code === 34 || code === 39 || code === 93;
}

function addAssigned(at: number, from: number, to: number, candidates: Candidates): void {
  if (candidates.assignedFrom < 0) {
    candidates.assignedFrom = Math.max(from, at - BEYOND);
    candidates.assigned = [];
  }
  candidates.assigned?.push(at);
  if (candidates.assigned && candidates.assigned.length > 4 + (to - from) / 1024) candidates.assigned = undefined;
}

/** Whether the start of an SQL Server connection string precedes the `=`. */
function endsServer(text: string, at: number): boolean {
  return text.startsWith("Server", at - 6) || text.startsWith("Data Source", at - 11);
}

/** Whether the digit at `at` is the fourth character of a possible account number. */
function beginsIban(text: string, at: number): boolean {
  if (!isCapital(text.charCodeAt(at - 2)) || !isCapital(text.charCodeAt(at - 3))) return false;
  for (let i = at + 1; i <= at + 8; i++) {
    const code = text.charCodeAt(i);
    if (!(code === 32 || (code >= 48 && code <= 57) || isCapital(code))) return false;
  }
  return true;
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}
