import { type App, part } from "../../core/app.ts";
import { asset } from "../../core/base/asset.ts";

/** The pins of texts in which the rules find nothing. They are stored, so that a restart does not examine them again. */
export interface CleanPins {
  has(pin: string): boolean;
  add(pin: string): void;
}

/**
 * Maximum number of stored pins. The document is read and written in one step, which takes 5 ms for this number; the
 * tools of a larger installation are examined after each start.
 */
const MAX_PINS = 10_000;
/** Delay between a change and its storage (ms). */
const STORE_MS = 5000;
const KEY = "scan.clean";

interface Stored {
  /** Digest of the rules that found nothing. */
  readonly rules: string;
  readonly pins: readonly string[];
}

/** The pins that are stored and those of this run. */
export const cleanPins = part("cleanPins", openCleanPins, (pins) => pins.close());

function openCleanPins({ store: { documents }, clock, log }: Pick<App, "store" | "clock" | "log">) {
  const rules = rulesDigest();
  const stored = new Set<string>();
  const used = new Set<string>();
  let cancel: (() => void) | undefined;
  const load = async () => {
    const found = (await documents.get(KEY)) as Stored | undefined;
    if (found?.rules === rules) for (const pin of found.pins) stored.add(pin);
  };
  const save = async () => {
    cancel = undefined;
    // Pins that nobody has used in this run are the first to go.
    const pins = [...used, ...[...stored].filter((pin) => !used.has(pin))].slice(0, MAX_PINS);
    await documents.set(KEY, { rules, pins } satisfies Stored);
  };
  log.catch("reading the results of earlier scans", load());
  return {
    has(pin: string) {
      if (!stored.has(pin)) return used.has(pin);
      used.add(pin);
      return true;
    },
    add(pin: string) {
      if (used.has(pin) || used.size >= MAX_PINS) return;
      used.add(pin);
      if (stored.has(pin)) return;
      cancel ??= clock.after(STORE_MS, () => log.catch("storing the results of scans", save()));
    },
    async close() {
      if (!cancel) return;
      cancel();
      await save();
    },
  };
}

/** Digest of everything that an examination depends on; the build makes it of the rules, and Node brings Unicode's tables. */
const rulesDigest = () => `${asset("scan-rules.txt").toString()} ${process.versions.unicode}`;
