import { randomBytes } from "node:crypto";
import { type App, part } from "../app.ts";

/** An answer that was cut, whole, for whoever got its beginning. */
interface CachedAnswer {
  /** `ownerKey` of the caller that received the answer; only this caller may read the rest of it. */
  readonly owner: string;
  /** The server it came from. */
  readonly server: string;
  /** The text, in pieces as it came: joining them would cost as much again. */
  readonly pieces: readonly string[];
  /** Of all pieces together. (characters) */
  readonly length: number;
}

/** Answers that were cut: in memory, bounded, for a while. */
interface CachedAnswers {
  /** @returns the key by which it is read */
  keep(answer: CachedAnswer): string;
  get(key: string): CachedAnswer | undefined;
}

/** How long an answer can be read on. (ms) */
export const CACHED_ANSWER_MS = 30 * 60_000;
/** Of all kept answers together; an upstream's single answer is shorter. (characters) */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Most answers of one caller, so that one cannot push out everybody else's. */
const MAX_OF_ONE = 20;

/** The answers kept in this run of the program. */
export const cachedAnswers = part<CachedAnswers>("keptAnswers", ({ clock }) => createCachedAnswers(clock));

export function createCachedAnswers(clock: App["clock"]): CachedAnswers {
  // Oldest first.
  const answers = new Map<string, CachedAnswer & { until: number }>();
  let characters = 0;

  const drop = (key: string) => {
    characters -= answers.get(key)?.length ?? 0;
    answers.delete(key);
  };
  const sweep = () => {
    for (const [key, { until }] of answers) if (until <= clock.now()) drop(key);
  };

  return {
    keep(answer) {
      sweep();
      const own = [...answers].filter(([, { owner }]) => owner === answer.owner).map(([key]) => key);
      for (const key of own.slice(0, Math.max(0, own.length - MAX_OF_ONE + 1))) drop(key);
      const key = randomBytes(12).toString("base64url");
      answers.set(key, { ...answer, until: clock.now() + CACHED_ANSWER_MS });
      characters += answer.length;
      for (const oldest of answers.keys()) {
        if (characters <= MAX_CHARACTERS || oldest === key) break;
        drop(oldest);
      }
      // Memory is given back also when nobody calls any more.
      clock.after(CACHED_ANSWER_MS, sweep);
      return key;
    },
    get(key) {
      sweep();
      return answers.get(key);
    },
  };
}

/** A part of a text in pieces, from one character to another; never half a character at its end. */
export function slicePieces(pieces: readonly string[], from: number, to: number): string {
  let text = "";
  let at = 0;
  for (const piece of pieces) {
    if (at >= to) break;
    if (at + piece.length > from) text += piece.slice(Math.max(0, from - at), to - at);
    at += piece.length;
  }
  return at >= to || text === "" ? whole(text) : text;
}

/** Without the first half of a character at the end. */
function whole(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff && text.length > 1 ? text.slice(0, -1) : text;
}
