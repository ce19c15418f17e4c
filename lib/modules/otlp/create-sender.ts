import type { App } from "../../core/app.ts";
import type { Egress } from "../../core/base/egress/egress.ts";
import { reasonOf } from "../../core/base/fault.ts";
import type { SenderSettings } from "./sender-settings.ts";

/** Statuses after which the specification of OTLP lets a client send the message again. */
const RETRIED = new Set([429, 502, 503, 504]);
/** Waits before further attempts (ms); a collector may ask for another wait with `Retry-After`. */
const RETRIES_MS = [1000, 2000, 4000, 8000];
/** A collector that asks for a longer wait is treated as one that is down (ms). */
const MAX_RETRY_AFTER_MS = 30_000;
/** Largest response that is read (bytes). */
const MAX_RESPONSE = 64 * 1024;
const MAX_REASON = 200;

/** What became of the spans or data points of one signal. */
export interface SendCounts {
  sent: number;
  lost: number;
  /** Why some were lost most recently; undefined if the last message was accepted completely. */
  problem: string | undefined;
}

/** Sends messages of one signal to a collector, and counts what was accepted and what was lost. */
export interface Sender {
  readonly url: string;
  readonly counts: Readonly<SendCounts>;
  /** Sends a message with `count` spans or data points, with several attempts. Never throws. */
  send(body: string, count: number): Promise<boolean>;
  /** Counts a loss before sending. */
  lose(count: number, problem: string): void;
  /** Ends all attempts, and counts what is sent later as lost. */
  end(): void;
}

/** @param changed called when something is lost for the first time since a message was accepted, and when one is again */
export function createSender(
  { egress, clock }: { readonly egress: Egress } & Pick<App, "clock">,
  { url, headers, timeoutMs }: SenderSettings,
  changed: (counts: SendCounts) => void,
): Sender {
  const counts: SendCounts = { sent: 0, lost: 0, problem: undefined };
  const ended = new AbortController();
  const { signal } = ended;
  const settle = (sent: number, lost: number, problem: string | undefined) => {
    const isChange = (problem === undefined) !== (counts.problem === undefined);
    counts.sent += sent;
    counts.lost += lost;
    counts.problem = problem?.slice(0, MAX_REASON);
    if (isChange) changed(counts);
  };

  const attempt = async (body: string): Promise<Attempt> => {
    try {
      const {
        status,
        headers: answered,
        text,
      } = await egress.fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body,
        signal,
        timeoutMs,
        maxBytes: MAX_RESPONSE,
        // A collector is where the configuration says; the headers may contain a secret.
        redirects: 0,
        // The operator chose the collector, so it may be on this machine or in a private network.
        allow: [new URL(url).host],
      });
      if (status >= 200 && status < 300) return { isDone: true, ...rejectedPart(text) };
      const problem = `it responded with status ${status}`;
      if (!RETRIED.has(status)) return { isDone: true, rejected: "all", problem };
      const retryAfterMs = readRetryAfter(answered.get("retry-after"), clock.now());
      return { isDone: false, rejected: "all", problem, retryAfterMs };
    } catch (error) {
      return { isDone: signal.aborted, rejected: "all", problem: reasonOf(error) };
    }
  };

  return {
    url,
    counts,
    async send(body, count) {
      for (let round = 0; ; round++) {
        const { isDone, rejected = 0, problem, retryAfterMs = 0 } = await attempt(body);
        const backOffMs = RETRIES_MS[round];
        if (isDone || backOffMs === undefined || retryAfterMs > MAX_RETRY_AFTER_MS) {
          const lost = rejected === "all" ? count : Math.min(rejected, count);
          settle(count - lost, lost, problem);
          return lost === 0;
        }
        try {
          await clock.sleep(Math.max(backOffMs, retryAfterMs), signal);
        } catch {
          settle(0, count, problem);
          return false;
        }
      }
    },
    lose(count, problem) {
      settle(0, count, problem);
    },
    end() {
      ended.abort(new Error("the export has ended"));
    },
  };
}

/** The outcome of one request. */
interface Attempt {
  /** True if another attempt is not allowed. */
  readonly isDone: boolean;
  /** Number of spans or data points that the collector rejected. */
  readonly rejected?: number | "all";
  readonly problem?: string | undefined;
  /** How long the collector asks to wait. */
  readonly retryAfterMs?: number | undefined;
}

/** Reads `partialSuccess`: a collector may accept a message and reject a part of it. */
function rejectedPart(text: string): Pick<Attempt, "rejected" | "problem"> {
  try {
    const { partialSuccess } = JSON.parse(text);
    if (!partialSuccess) return {};
    const { rejectedSpans, rejectedDataPoints, errorMessage } = partialSuccess;
    const rejected = Number(rejectedSpans ?? rejectedDataPoints ?? 0);
    if (!(rejected > 0)) return {};
    return { rejected, problem: `it rejected a part: ${String(errorMessage ?? "without a reason")}` };
  } catch {
    // The response of an older collector may be empty.
    return {};
  }
}

/** Reads seconds or a date (RFC 9110, section 10.2.3); undefined for anything else. */
function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
