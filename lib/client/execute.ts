import { type CallOptions, parse, requestRoute, restFailure, type Send } from "./client.ts";

/** What is asked to be executed, as sent; what is not said the proxy's configuration decides (spec 001 §2.3, §2.5). */
export interface Execution {
  code?: string;
  script?: string;
  language?: "javascript" | "typescript";
  input?: Record<string, unknown>;
  options?: { timeout_ms?: number; max_tool_calls?: number; allowed_servers?: string[] };
}

/** How an execution ended, or why there was none (spec 001 §2.3, §7). */
export type Envelope =
  | { ok: true; value: unknown }
  | { ok: false; error: { code: string; message: string; stack?: string }; request_id?: string };

export interface Executed {
  /** 200 when the code ran, whether or not it threw; else the status of the refusal. */
  status: number;
  envelope: Envelope;
}

const ROUTE = "POST /api/v1/code/exec";

/**
 * Asks for an execution. Its endpoint is the one that answers a bare envelope, for refusals too, so it has its own
 * reader beside `client()`.
 *
 * @throws RestError when the door refuses before the endpoint is reached, Fault client_timeout, client_misunderstood
 */
export async function execute(send: Send, body: Execution, options: CallOptions): Promise<Executed> {
  const answered = await requestRoute(send, ROUTE, { body }, options);
  const envelope = envelopeOf(parse(answered.text));
  if (!envelope) throw restFailure(answered, ROUTE);
  return { status: answered.status, envelope };
}

function envelopeOf(answer: Record<string, unknown> | undefined): Envelope | undefined {
  const { ok, error } = answer ?? {};
  const failed = typeof error === "object" && error !== null && "code" in error && "message" in error;
  // Both shapes were looked at as far as they are relied upon.
  return ok === true || (ok === false && failed) ? (answer as unknown as Envelope) : undefined;
}
