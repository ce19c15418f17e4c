import { type App, part } from "../../core/app.ts";
import { asset } from "../../core/base/asset.ts";
import type { Examined } from "./rules/examine-tool.ts";

/** What the rules find in a text, without the tool's own name and description. */
export type Found = Omit<Examined, "named">;

/** The results of earlier examinations. They are stored, so that a restart does not examine the same texts again. */
export interface EarlierScans {
  /** @param key the pin of a tool, or a key of another text that covers everything that is examined */
  get(key: string): Found | undefined;
  add(key: string, found: Found): void;
}

/**
 * Maximum number of stored texts in which nothing was found. The document is read and written in one step, which takes
 * 5 ms for this number; the tools of a larger installation are examined after each start.
 */
const MAX_CLEAN = 10_000;
/** Bounds of the stored findings, in characters of JSON: of all together, and of one text. */
const MAX_FOUND_CHARS = 400_000;
const MAX_ENTRY_CHARS = 20_000;
/** Delay between a change and its storage (ms). */
const STORE_MS = 5000;
const CLEAN_KEY = "scan.clean";
const FOUND_KEY = "scan.found";

interface StoredClean {
  /** Digest of the rules that found nothing. */
  readonly rules: string;
  readonly pins: readonly string[];
}

interface StoredFound {
  /** Digest of the rules, whose code also determines the shape of the results. */
  readonly rules: string;
  readonly texts: readonly (readonly [key: string, found: Found])[];
}

/** The results that are stored and those of this run. */
export const earlierScans = part("earlierScans", openEarlierScans, (scans) => scans.close());

function openEarlierScans({ store: { documents }, clock, log }: Pick<App, "store" | "clock" | "log">) {
  const rules = rulesDigest();
  const clean = createMemory<true>(({ size }) => size <= MAX_CLEAN);
  const found = createMemory<Found>(({ chars }) => chars <= MAX_FOUND_CHARS);
  let cancel: (() => void) | undefined;
  const load = async () => {
    const [pins, texts] = await Promise.all([documents.get(CLEAN_KEY), documents.get(FOUND_KEY)]);
    const [storedPins, storedTexts] = [pins as StoredClean | undefined, texts as StoredFound | undefined];
    if (storedPins?.rules === rules) for (const pin of storedPins.pins) clean.load(pin, true);
    if (storedTexts?.rules === rules) for (const [key, one] of storedTexts.texts) found.load(key, one);
  };
  const save = async () => {
    cancel = undefined;
    await Promise.all([
      clean.hasChanged() &&
        documents.set(CLEAN_KEY, { rules, pins: clean.entries().map(([pin]) => pin) } satisfies StoredClean),
      found.hasChanged() && documents.set(FOUND_KEY, { rules, texts: found.entries() } satisfies StoredFound),
    ]);
  };
  log.catch("reading the results of earlier scans", load());
  return {
    get: (key: string): Found | undefined => (clean.get(key) ? NOTHING : found.get(key)),
    add(key: string, { findings, mentions, complete }: Found) {
      const isClean = complete && findings.length === 0 && mentions.length === 0;
      const isNew = isClean ? clean.add(key, true) : found.add(key, { findings, mentions, complete });
      if (isNew) cancel ??= clock.after(STORE_MS, () => log.catch("storing the results of scans", save()));
    },
    async close() {
      if (!cancel) return;
      cancel();
      await save();
    },
  };
}

const NOTHING: Found = { findings: [], mentions: [], complete: true };

/** Values of this run and of earlier ones. Those that nobody has used in this run are the first to go. */
function createMemory<T>(fits: (all: { size: number; chars: number }) => boolean) {
  const stored = new Map<string, T>();
  const used = new Map<string, T>();
  /** Of the values of this run, as JSON. */
  let chars = 0;
  let changed = false;
  const use = (key: string, value: T, size: number): boolean => {
    if (size > MAX_ENTRY_CHARS || !fits({ size: used.size + 1, chars: chars + size })) return false;
    used.set(key, value);
    chars += size;
    return true;
  };
  return {
    load: (key: string, value: T) => void stored.set(key, value),
    get(key: string): T | undefined {
      const value = used.get(key) ?? stored.get(key);
      if (value !== undefined && !used.has(key)) use(key, value, sizeOf(value));
      return value;
    },
    /** @returns whether the value is to be stored */
    add(key: string, value: T): boolean {
      if (used.has(key) || !use(key, value, sizeOf(value)) || stored.has(key)) return false;
      changed = true;
      return true;
    },
    /** @returns whether something was added since the last call */
    hasChanged(): boolean {
      const before = changed;
      changed = false;
      return before;
    },
    /** The values to store: those of this run, and as many earlier ones as there is room for. */
    entries(): [key: string, value: T][] {
      const kept = [...used];
      let size = chars;
      for (const [key, value] of stored) {
        if (used.has(key)) continue;
        size += sizeOf(value);
        if (!fits({ size: kept.length + 1, chars: size })) break;
        kept.push([key, value]);
      }
      return kept;
    },
  };
}

const sizeOf = (value: unknown): number => (value === true ? 0 : JSON.stringify(value).length);

/** Digest of everything that an examination depends on; the build makes it of the rules, and Node brings Unicode's tables. */
const rulesDigest = () => `${asset("scan-rules.txt").toString()} ${process.versions.unicode}`;
