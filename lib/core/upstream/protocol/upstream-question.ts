import type { McpObject, RpcErrorObject } from "../../schema/mcp.ts";

/** A client's answer to a question: its result, or an error. */
export type QuestionAnswer = { readonly result: McpObject } | { readonly error: RpcErrorObject };

/** A request that an upstream (up to 2025-11-25) sends to its client while a request of the proxy is in progress. */
export interface UpstreamQuestion {
  /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  readonly method: string;
  readonly params: McpObject;
  /** Answers the question. Only the first answer is sent, and none after the upstream withdrew the question. */
  answer(said: QuestionAnswer): void;
  /** Ends the question without asking the client: the upstream gets an answer that lets its tool end. */
  refuse(reason: string): void;
  /** Set by the receiver of the question; called when the upstream no longer waits for an answer. */
  onWithdrawn: (() => void) | undefined;
}

const KNOWN: ReadonlySet<string> = new Set(["elicitation/create", "sampling/createMessage", "roots/list"]);

/** True for a request of a server that the client has to answer. */
export const isQuestionMethod = (method: string): boolean => KNOWN.has(method);

/** Returns the answer to a question that cannot be passed on, such that the upstream's tool can end. */
export function nobodyAnswers(method: string, reason = "the caller cannot be asked"): QuestionAnswer {
  if (method === "elicitation/create") return { result: { action: "cancel" } };
  if (method === "roots/list") return { result: { roots: [] } };
  return { error: { code: -1, message: reason } };
}
