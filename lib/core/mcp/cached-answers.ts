import { randomBytes } from "node:crypto";
import { type App, part } from "../app.ts";

/** The complete text of a result of which the client got only the beginning. */
interface CachedAnswer {
  /** `ownerKey` of the caller that received the beginning. Only this caller may read the rest. */
  readonly owner: string;
  /** The server that sent the result. */
  readonly server: string;
  /** The text in the pieces in which it was made; joining them would take as much memory again. */
  readonly pieces: readonly string[];
  /** Length of all pieces together. (characters) */
  readonly length: number;
}

/** Keeps the complete texts of truncated results in memory, for a limited time and within a limited size. */
interface CachedAnswers {
  /** Keeps a text. @returns the key with which the caller can read it */
  keep(answer: CachedAnswer): string;
  get(key: string): CachedAnswer | undefined;
}

/** How long a text is kept. (ms) */
export const CACHED_ANSWER_MS = 30 * 60_000;
/** Maximum length of all texts together; a single result of an upstream is shorter. (characters) */
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Maximum number of texts of one caller, so that one caller cannot push out those of all others. */
const MAX_OF_ONE = 20;

/** The texts of this process. */
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
      // The timer frees the memory even if no further call comes.
      clock.after(CACHED_ANSWER_MS, sweep);
      return key;
    },
    get(key) {
      sweep();
      return answers.get(key);
    },
  };
}

/** Returns the part of a text between two positions, without half a surrogate pair at its end. */
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

/** Removes the first half of a surrogate pair at the end of a text. */
function whole(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff && text.length > 1 ? text.slice(0, -1) : text;
}
