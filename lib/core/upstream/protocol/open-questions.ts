import { ownerKey } from "../../schema/caller.ts";
import { type McpObject, RPC, type RpcId } from "../../schema/mcp.ts";
import type { PendingRequest } from "./pending-request.ts";
import type { PendingRequests } from "./pending-requests.ts";
import { isQuestionMethod, nobodyAnswers, type QuestionAnswer, type UpstreamQuestion } from "./upstream-question.ts";

/** What the questions need of the exchange whose requests they belong to. */
export interface OpenQuestionsOwner {
  /** Whether the upstream may ask: what it may ask for was declared in the handshake. */
  readonly takesQuestions: boolean;
  readonly requests: Pick<PendingRequests, "get" | "values" | "postpone">;
  respond(id: RpcId, answer: QuestionAnswer): void;
  fault(line: string): void;
  /** The upstream asked something without saying in which request. */
  askedOnSharedChannel(): void;
}

/** A question as it came. */
interface AskedQuestion {
  readonly id: RpcId;
  readonly method: string;
  readonly params: McpObject;
  /** The request on whose own stream it came. */
  readonly carrier: number | undefined;
}

/** A question that can be taken back. */
interface OpenQuestion extends UpstreamQuestion {
  readonly asked: AskedQuestion;
  readonly asker: PendingRequest;
  withdraw(): void;
}

/** Questions of one upstream that wait for an answer at once. */
const MAX_QUESTIONS = 1000;

/** A request with a question ends at the latest then, whatever became of the question. (ms) */
const MAX_QUESTION_MS = 15 * 60_000;

/** The requests that an upstream sends: pings, and questions, which are passed on to the caller of the request they belong to. */
export class OpenQuestions {
  private readonly owner: OpenQuestionsOwner;
  /** By the upstream's own id. */
  private readonly questions = new Map<RpcId, OpenQuestion>();

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

  /** The upstream does not wait for this answer any more. */
  withdraw(id: RpcId): void {
    this.questions.get(id)?.withdraw();
  }

  withdrawAll(): void {
    for (const question of [...this.questions.values()]) question.withdraw();
  }

  /** The request that carried questions is over: on a shared channel they may belong to another of the same owner. */
  moveFrom(ended: PendingRequest): void {
    for (const question of [...this.questions.values()]) {
      if (question.asker !== ended) continue;
      question.withdraw();
      this.ask(question.asked);
    }
  }

  /** Passes a question on; meanwhile the time of the request it belongs to stands still. */
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
   * Whose request a question belongs to: the one on whose stream it came, else one of those in flight, where all of them
   * are of one owner. Of several, each gets a question before one gets two; servers mostly ask in the order of the calls.
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
