import type { McpObject, RpcErrorObject } from "../../schema/mcp.ts";

/** A client's answer to a question: its result, or an error. */
export type QuestionAnswer = { readonly result: McpObject } | { readonly error: RpcErrorObject };

/** A request that an upstream of the 2025 family sends to its client while one of the proxy's requests is under way. */
export interface UpstreamQuestion {
  /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  readonly method: string;
  readonly params: McpObject;
  /** Only the first answer is sent; after the upstream withdrew its question none is. */
  answer(said: QuestionAnswer): void;
  /** Nobody is asked: the upstream hears that nobody answers, so that its tool can end. */
  refuse(reason: string): void;
  /** Set by whoever passes the question on; called when the upstream does not wait for an answer any more. */
  onWithdrawn: (() => void) | undefined;
}

const KNOWN: ReadonlySet<string> = new Set(["elicitation/create", "sampling/createMessage", "roots/list"]);

export const isQuestionMethod = (method: string): boolean => KNOWN.has(method);

/** The answer to a question that nobody can be asked, chosen so that the upstream's tool can end. */
export function nobodyAnswers(method: string, reason = "the caller cannot be asked"): QuestionAnswer {
  if (method === "elicitation/create") return { result: { action: "cancel" } };
  if (method === "roots/list") return { result: { roots: [] } };
  return { error: { code: -1, message: reason } };
}
