import { lazy } from "../../core/base/lazy.ts";
import { ASSIGN, AT, DIGIT, HYPHEN, inRun, LETTER_B, RUN, SORTS, TELLS, UNDERSCORE } from "./characters.ts";
import { isBearer, tellsFile } from "./clues.ts";
import { KEYED } from "./keyed.ts";
import { compilePrefixTable, endsAt } from "./prefix-table.ts";
import { lookThrough, type RunCandidates } from "./runs.ts";
import { SHORTEST } from "./shapes.ts";

/**
 * Where in a text the dear expressions have a chance. What is undefined or -1 here is nowhere in the window; every other
 * place is one from which on a match may begin.
 */
export interface Candidates extends RunCandidates {
  keyBlock: number;
  /** The `=` or `:` behind names of values; undefined with `assignedFrom` where there are too many to look at each. */
  assigned: number[] | undefined;
  assignedFrom: number;
  wide: number;
  goDsn: number;
  bearer: number;
  file: boolean;
  /** First digits of rows of digits that are long enough for a card. */
  cards: number[] | undefined;
  /** First letters of account numbers. */
  ibans: number[] | undefined;
}

/** So much of a name is compared; more takes longer to prepare and tells little (characters). */
const HEAD = 8;
/** Digits of the shortest card. */
const CARD_DIGITS = 14;
/** So far beyond its beginning stands what gives a match away (characters); names of values are shorter. */
const BEYOND = 64;
/** The longest beginning of `WIDE_SHAPES` before what gives it away (characters). */
const WIDE_BEFORE = 40;

const nameEnds = lazy(() =>
  compilePrefixTable(
    KEYED.map(({ name }) => name),
    { depth: HEAD, backwards: true, either: true },
  ),
);

/**
 * Looks through the window once, character by character, for what no match can be without. Anything that `find` finds
 * has its place in the answer; most places in it turn out to be nothing.
 *
 * @param files paths of secret files count, too
 */
export function findCandidates(text: string, from: number, to: number, files: boolean): Candidates {
  const seen: Candidates = {
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
  // A run that began before belongs to who looked there.
  const isOthers = from > 0 && inRun(text, from) && inRun(text, from - 1);
  let runStart = isOthers || from >= to ? text.length : from;
  for (let at = from; at < end; at++) {
    const sort = SORTS[text.charCodeAt(at)]!;
    if ((sort & RUN) === 0) {
      if (at - runStart >= SHORTEST) lookThrough(text, runStart, at, seen);
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
        seen.cards ??= [];
        seen.cards.push(rowStart);
      }
      if (at - lastDigit === 1 && beginsIban(text, at) && at - 3 >= from) {
        seen.ibans ??= [];
        seen.ibans.push(at - 3);
      }
      lastDigit = at;
    } else if (tell === ASSIGN) {
      if (endsName(text, at)) addAssigned(at, from, to, seen);
      const letter = text.charCodeAt(at - 1);
      if ((letter === 114 || letter === 101) && seen.wide < 0 && endsServer(text, at))
        seen.wide = Math.max(from, at - WIDE_BEFORE);
    } else if (tell === HYPHEN) {
      if (seen.keyBlock < 0 && text.charCodeAt(at + 1) === 66 && text.startsWith("-----BEGIN ", at - 4))
        seen.keyBlock = Math.max(from, at - 4);
      if (files) seen.file ||= tellsFile(text, at);
    } else if (tell === UNDERSCORE) {
      if (seen.wide < 0 && text.charCodeAt(at + 1) === 97 && text.startsWith("service_account", at - 7))
        seen.wide = Math.max(from, at - WIDE_BEFORE);
      if (files) seen.file ||= tellsFile(text, at);
    } else if (tell === AT) {
      if (seen.goDsn < 0 && (text.startsWith("@tcp(", at) || text.startsWith("@unix(", at))) seen.goDsn = at;
    } else if (tell === LETTER_B) {
      if (seen.bearer < 0 && isBearer(text, at)) seen.bearer = at;
    } else if (files && !seen.file) seen.file = tellsFile(text, at);
  }
  if (runStart < to) {
    let runEnd = Math.max(end, runStart);
    while (runEnd < text.length && inRun(text, runEnd)) runEnd++;
    if (runEnd - runStart >= SHORTEST) lookThrough(text, runStart, runEnd, seen);
  }
  return seen;
}

/** Whether anything in it is worth a second look. */
export function areNone(seen: Candidates): boolean {
  return (
    seen.keyBlock < 0 &&
    seen.assignedFrom < 0 &&
    seen.wide < 0 &&
    seen.goDsn < 0 &&
    seen.bearer < 0 &&
    !seen.file &&
    seen.cards === undefined &&
    seen.ibans === undefined &&
    seen.shapes === undefined &&
    seen.chains === undefined
  );
}

/** What parts the digits of a card. */
function isSeparator(code: number): boolean {
  return code === 32 || code === 45 || code === 46;
}

/** Whether a name of `KEYED` stands before the `=` or `:` at this place. */
function endsName(text: string, operator: number): boolean {
  let at = operator - 1;
  for (let i = 0; i < 4 && isSpace(text.charCodeAt(at)); i++) at--;
  for (let i = 0; i < 2 && isClosing(text.charCodeAt(at)); i++) at--;
  for (let i = 0; i < 3 && text.charCodeAt(at) === 92; i++) at--;
  return endsAt(nameEnds(), text, at);
}

/** White space, or anything beyond ASCII: no name ends in that. */
function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code > 127;
}

function isClosing(code: number): boolean {
  return code === 34 || code === 39 || code === 93;
}

function addAssigned(at: number, from: number, to: number, seen: Candidates): void {
  if (seen.assignedFrom < 0) {
    seen.assignedFrom = Math.max(from, at - BEYOND);
    seen.assigned = [];
  }
  seen.assigned?.push(at);
  if (seen.assigned && seen.assigned.length > 4 + (to - from) / 1024) seen.assigned = undefined;
}

/** Whether what begins a connection string for SQL Server stands before the `=`. */
function endsServer(text: string, at: number): boolean {
  return text.startsWith("Server", at - 6) || text.startsWith("Data Source", at - 11);
}

/** Whether the digit at `at` is the fourth character of what is written like an account number. */
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
