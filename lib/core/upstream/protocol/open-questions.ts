import { TransientMap } from "../../base/transient-map.ts";
import { ownerKey } from "../../schema/caller.ts";
import { type McpObject, RPC, type RpcId } from "../../schema/mcp.ts";
import type { PendingRequest } from "./pending-request.ts";
import type { PendingRequests } from "./pending-requests.ts";
import { isQuestionMethod, nobodyAnswers, type QuestionAnswer, type UpstreamQuestion } from "./upstream-question.ts";

/** The parts of the exchange that the questions use. */
export interface OpenQuestionsOwner {
  /** True if the handshake declared any kind of question, so that the upstream may ask. */
  readonly takesQuestions: boolean;
  readonly requests: Pick<PendingRequests, "get" | "values" | "postpone">;
  respond(id: RpcId, answer: QuestionAnswer): void;
  fault(line: string): void;
  /** Called when the upstream asked a question without naming the request. */
  askedOnSharedChannel(): void;
}

/** A question as the upstream sent it. */
interface AskedQuestion {
  readonly id: RpcId;
  readonly method: string;
  readonly params: McpObject;
  /** Id of the request on whose stream the question came, if known. */
  readonly carrier: number | undefined;
}

/** A question that is not answered yet. */
interface OpenQuestion extends UpstreamQuestion {
  readonly asked: AskedQuestion;
  readonly asker: PendingRequest;
  withdraw(): void;
}

/** Maximum number of open questions of one upstream. */
const MAX_QUESTIONS = 1000;

/** Maximum time for a request with a question; then it ends, whether or not the question is answered. (ms) */
const MAX_QUESTION_MS = 15 * 60_000;

/**
 * Handles the requests that an upstream sends: pings, and questions, which are passed to the caller of the request that
 * they belong to.
 */
export class OpenQuestions {
  private readonly owner: OpenQuestionsOwner;
  /** Open questions by the upstream's id. */
  private readonly questions = new TransientMap<RpcId, OpenQuestion>();

  constructor(owner: OpenQuestionsOwner) {
    this.owner = owner;
  }

  ask(asked: AskedQuestion): void {
    const { id, method, carrier } = asked;
    const answer = (said: QuestionAnswer) => this.owner.respond(id, said);
    if (method === "ping") {
      answer({ result: {} });
      return;
    }
    if (!this.owner.takesQuestions || !isQuestionMethod(method)) {
      answer({ error: { code: RPC.methodNotFound, message: `${method} is not supported by this client` } });
      return;
    }
    const asker = this.askerOf(method, carrier);
    if (!asker?.options.onQuestion || this.questions.size >= MAX_QUESTIONS) {
      answer(nobodyAnswers(method));
      return;
    }
    this.pass(asker, asker.options.onQuestion, asked, answer);
  }

  /** Call when the upstream no longer waits for the answer. */
  withdraw(id: RpcId): void {
    this.questions.get(id)?.withdraw();
  }

  withdrawAll(): void {
    for (const question of [...this.questions.values()]) question.withdraw();
  }

  /**
   * Call when the request of some questions has ended: on a shared channel they may belong to another request of its
   * owner.
   */
  moveFrom(ended: PendingRequest): void {
    for (const question of [...this.questions.values()]) {
      if (question.asker !== ended) continue;
      question.withdraw();
      this.ask(question.asked);
    }
  }

  /** Passes a question on. The timeout of its request is suspended until the answer. */
  private pass(
    asker: PendingRequest,
    take: (question: UpstreamQuestion) => void,
    asked: AskedQuestion,
    send: (said: QuestionAnswer) => void,
  ): void {
    const { id, method, params } = asked;
    const over = () => {
      if (this.questions.get(id) !== question) return false;
      this.questions.delete(id);
      asker.questions--;
      if (asker.questions === 0 && this.owner.requests.get(asker.id))
        this.owner.requests.postpone(asker, asker.options.timeoutMs);
      return true;
    };
    const question: OpenQuestion = {
      method,
      params,
      asked,
      asker,
      onWithdrawn: undefined,
      answer: (said) => {
        if (over()) send(said);
      },
      refuse: (reason) => question.answer(nobodyAnswers(method, reason)),
      withdraw: () => {
        if (over()) question.onWithdrawn?.();
      },
    };
    this.withdraw(id);
    this.questions.set(id, question);
    asker.questions++;
    this.owner.requests.postpone(asker, MAX_QUESTION_MS);
    take(question);
  }

  /**
   * Determines the request that a question belongs to: the one on whose stream it came, otherwise one of those in
   * progress, if all are of one owner. Questions are distributed evenly over these, because servers mostly ask in the
   * order of the calls.
   */
  private askerOf(method: string, carrier: number | undefined): PendingRequest | undefined {
    if (carrier !== undefined) return this.owner.requests.get(carrier);
    this.owner.askedOnSharedChannel();
    let owner: string | undefined;
    let chosen: PendingRequest | undefined;
    for (const pending of this.owner.requests.values()) {
      const { caller, onQuestion } = pending.options;
      if (!caller) continue;
      owner ??= ownerKey(caller);
      if (owner !== ownerKey(caller)) {
        this.owner.fault(`${method} names no request and calls of several callers are under way: not passed on`);
        return undefined;
      }
      if (onQuestion && (!chosen || pending.questions < chosen.questions)) chosen = pending;
    }
    return chosen;
  }
}
