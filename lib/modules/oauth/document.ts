import * as v from "valibot";
import type { Clock } from "../../core/base/clock.ts";
import type { Egress } from "../../core/base/egress/egress.ts";
import { Fault, reasonOf } from "../../core/base/fault.ts";
import type { Challenge } from "./challenge.ts";
import type { FlowName } from "./flow-fault.ts";
import type { MetadataCheck, MetadataProblem } from "./metadata-check.ts";
import type { Settings } from "./settings.ts";

/** Limits for one document (ms, bytes). */
const TIMEOUT_MS = 8000;
const MAX_BYTES = 256 * 1024;
/** Retries of a request after HTTP 429, and the longest wait before one (ms; reference 6.2). */
const BUSY_TRIES = 3;
const BUSY_MS = 10_000;

/** One discovery of the authorization server. */
export interface Discovery {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly name: FlowName;
  readonly challenge: Challenge | undefined;
  readonly signal: AbortSignal;
}

/** Fetches one metadata document; undefined, with the problem reported to `check`, if it cannot be used. */
export async function document<S extends v.GenericSchema>(
  { egress, clock, settings, signal }: Discovery,
  url: string,
  schema: S,
  check: MetadataCheck,
): Promise<v.InferOutput<S> | undefined> {
  check.urlChecked(displayUrl(url));
  try {
    const ask = () =>
      egress.fetch(url, {
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
    if (answer.status !== 200) throw new StatusError(answer.status);
    const read = v.safeParse(schema, jsonOf(answer.text));
    if (read.success) return read.output;
    throw new Error(`${v.getDotPath(read.issues[0]) ?? "it"} is missing or invalid`);
  } catch (error) {
    signal.throwIfAborted();
    check.report(problemOf(error), error instanceof Fault ? error.message : `${reasonOf(error)} (${displayUrl(url)})`);
    return undefined;
  }
}

class StatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

function problemOf(error: unknown): MetadataProblem {
  if (error instanceof Fault && error.code === "address_refused") return "address_refused";
  if (error instanceof Fault && error.code === "fetch_failed") return "unreachable";
  // Servers without metadata respond with 404, or with another 4xx status for paths that they do not know.
  const isAbsent = error instanceof StatusError && error.status >= 400 && error.status <= 409;
  return isAbsent ? "absent" : "unusable";
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
}

/** An untrusted URL for display: truncated, and without parts that can be secret. */
export function displayUrl(text: string): string {
  const plain = URL.canParse(text) ? new URL(text).origin + new URL(text).pathname : text;
  return plain.slice(0, 200);
}
