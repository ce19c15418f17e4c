import type { RpcId } from "../schema/mcp.ts";
import type { QuestionAnswer, UpstreamQuestion } from "../upstream/protocol/upstream-question.ts";
import { rpcNotificationText, rpcRequestText } from "./rpc.ts";

/** The open questions to one client with a session (protocol versions up to 2025-11-25). */
export interface ClientQuestions {
  /** Sends a question on the event stream of the call that it belongs to. */
  ask(question: UpstreamQuestion, send: (text: string) => void): void;
  /** Passes on an answer. @returns false if the question is unknown; then nothing was done */
  answer(id: RpcId, said: QuestionAnswer): boolean;
  /** Ends all questions; call it if the client has disconnected. */
  end(): void;
}

/** Maximum number of open questions to one client. */
const MAX_OPEN = 16;

/** @param prefix distinguishes the questions of this replica, if others serve the same session */
export function createClientQuestions(prefix = ""): ClientQuestions {
  const open = new Map<RpcId, UpstreamQuestion>();
  let asked = 0;
  return {
    ask(question, send) {
      if (open.size >= MAX_OPEN) return question.refuse("too many questions are open");
      const id = `question-${prefix}${++asked}`;
      open.set(id, question);
      question.onWithdrawn = () => {
        if (!open.delete(id)) return;
        send(rpcNotificationText("notifications/cancelled", { requestId: id, reason: "no answer is needed any more" }));
      };
      send(rpcRequestText(id, question.method, question.params));
    },
    answer(id, said) {
      const question = open.get(id);
      open.delete(id);
      question?.answer(said);
      return question !== undefined;
    },
    end() {
      const left = [...open.values()];
      open.clear();
      for (const question of left) question.refuse("the client is gone");
    },
  };
}
