import { randomBytes } from "node:crypto";
import { type App, part } from "../app.ts";

/** An answer that was cut, whole, for whoever got its beginning. */
export interface KeptAnswer {
  /** Who may read on; see `ownerOf`. */
  readonly owner: string;
  /** The server it came from. */
  readonly server: string;
  /** The text, in pieces as it came: joining them would cost as much again. */
  readonly pieces: readonly string[];
  /** Of all pieces together. (characters) */
  readonly length: number;
}

/** Answers that were cut: in memory, bounded, for a while. */
export interface KeptAnswers {
  /** @returns the key by which it is read */
  keep(answer: KeptAnswer): string;
  get(key: string): KeptAnswer | undefined;
}

/** How long an answer can be read on. (ms) */
export const KEPT_MS = 30 * 60_000;
/** Of all kept answers together; an upstream's single answer is shorter. (characters) */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Most answers of one caller, so that one cannot push out everybody else's. */
const MAX_OF_ONE = 20;

/** The answers kept in this run of the program. */
export const keptAnswers = part<KeptAnswers>("keptAnswers", ({ clock }) => createKeptAnswers(clock));

export function createKeptAnswers(clock: App["clock"]): KeptAnswers {
  // Oldest first.
  const answers = new Map<string, KeptAnswer & { until: number }>();
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
      answers.set(key, { ...answer, until: clock.now() + KEPT_MS });
      characters += answer.length;
      for (const oldest of answers.keys()) {
        if (characters <= MAX_CHARACTERS || oldest === key) break;
        drop(oldest);
      }
      // Memory is given back also when nobody calls any more.
      clock.after(KEPT_MS, sweep);
      return key;
    },
    get(key) {
      sweep();
      return answers.get(key);
    },
  };
}

/** A part of a text in pieces, from one character to another; never half a character at its end. */
export function sliceOf(pieces: readonly string[], from: number, to: number): string {
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
