import { type CallOptions, parse, requestRoute, restFailure, type Send } from "./client.ts";

/** The request of an execution. Absent members are decided by the proxy's configuration (spec 001 §2.3, §2.5). */
export interface Execution {
  code?: string;
  script?: string;
  language?: "javascript" | "typescript";
  input?: Record<string, unknown>;
  options?: { timeout_ms?: number; max_tool_calls?: number; allowed_servers?: string[] };
}

/** The outcome of an execution, or why it was rejected (spec 001 §2.3, §7). */
export type Envelope =
  | { ok: true; value: unknown }
  | { ok: false; error: { code: string; message: string; stack?: string }; request_id?: string };

export interface Executed {
  /** 200 if the code ran, even if it threw; otherwise the status of the rejection. */
  status: number;
  envelope: Envelope;
}

const ROUTE = "POST /api/v1/code/exec";

/**
 * Requests an execution. Its endpoint responds with a bare envelope, even for errors, so it is not called with
 * `client()`.
 *
 * @throws RestError when the request is rejected before it reaches the endpoint, Fault client_timeout,
 * client_misunderstood
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
  // The cast is safe: the members in use were checked.
  return ok === true || (ok === false && failed) ? (answer as unknown as Envelope) : undefined;
}
