import * as v from "valibot";
import type { Clock } from "../../core/base/clock.ts";
import type { Egress } from "../../core/base/egress/egress.ts";
import { Fault, reasonOf } from "../../core/base/fault.ts";
import type { Challenge } from "./challenge.ts";
import type { Look } from "./diagnostics.ts";
import type { FlowName } from "./flow-fault.ts";
import type { Settings } from "./settings.ts";

/** One document. (ms, bytes) */
const TIMEOUT_MS = 8000;
const MAX_BYTES = 256 * 1024;
/** How often one is asked again that has too much to do (HTTP 429), and the longest wait before it. (ms; reference 6.2) */
const BUSY_TRIES = 3;
const BUSY_MS = 10_000;

/** One search for where to sign in. */
export interface Discovery {
  readonly dial: Egress;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly name: FlowName;
  readonly challenge: Challenge | undefined;
  readonly signal: AbortSignal;
}

/** One metadata document; undefined, with the reason noted, when it is none. */
export async function document<S extends v.GenericSchema>(
  { dial, clock, settings, signal }: Discovery,
  url: string,
  schema: S,
  look: Look,
): Promise<v.InferOutput<S> | undefined> {
  look.urls_checked.push(shown(url));
  try {
    const ask = () =>
      dial.fetch(url, {
        signal,
        headers: { accept: "application/json" },
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        allow: settings.allow,
      });
    let answer = await ask();
    for (let tries = 0; answer.status === 429 && tries < BUSY_TRIES; tries++) {
      const seconds = Number(answer.headers.get("retry-after") ?? 1) || 0;
      await clock.sleep(Math.min(BUSY_MS, seconds * 1000), signal);
      answer = await ask();
    }
    if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
    const read = v.safeParse(schema, jsonOf(answer.text));
    if (read.success) return read.output;
    throw new Error(`${v.getDotPath(read.issues[0]) ?? "it"} is missing or invalid`);
  } catch (error) {
    signal.throwIfAborted();
    // A path that does not exist says less than what went wrong elsewhere.
    if (!(look.error && /^HTTP 40\d$/.test(reasonOf(error))))
      look.error = error instanceof Fault ? error.message : `${reasonOf(error)} (${shown(url)})`;
    return undefined;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
}

/** An address from outside, short and without what may be secret in it. */
export function shown(text: string): string {
  const plain = URL.canParse(text) ? new URL(text).origin + new URL(text).pathname : text;
  return plain.slice(0, 200);
}
