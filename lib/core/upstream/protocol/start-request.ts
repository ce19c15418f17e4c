import type { Clock } from "../../base/clock.ts";
import type { McpObject, Reply } from "../../schema/mcp.ts";
import type { CallSlots } from "../call-slots.ts";
import { ProcessMoved } from "../errors.ts";
import type { OwnerLane } from "../owner-lane.ts";
import type { RequestOptions, Upstream } from "../upstreams.ts";
import type { ReplyReceiver } from "./reply-receiver.ts";
import type { Sender } from "./sender.ts";

export interface RequestsOptions {
  slots: CallSlots;
  /** Separates the requests of different owners, for a server whose questions name no request. */
  lane: OwnerLane;
  clock: Clock;
  /** Returns the sender of the current connection. @throws Fault server_not_ready */
  sender(): Sender;
  /** Waits until another replica runs the process. @throws Fault server_not_ready */
  afterMove(signal: AbortSignal | undefined): Promise<void>;
}

/**
 * Sends a request to one server over its current connection. A call, a read or a completion first takes a slot.
 *
 * @param parts the parts of the server that a request uses, such as its slots and its sender
 */
export function startRequest(parts: RequestsOptions, ...request: Parameters<Upstream["start"]>): void {
  new AdmittedRequest(parts, ...request).enter();
}

/**
 * A request with its slot. One object without promises holds the whole way of the request and of its response, because
 * a promise or an async function per step costs memory and time in every call.
 */
class AdmittedRequest implements ReplyReceiver {
  private readonly parts: RequestsOptions;
  private readonly method: string;
  private readonly params: McpObject;
  private readonly options: RequestOptions;
  private readonly receiver: ReplyReceiver;
  /** When the slot was taken; undefined while the request holds none. */
  private slotSince: number | undefined = undefined;
  private isOver = false;
  private isRepeated = false;
  /** True if what the request needs was not free at once. */
  private hasWaited = false;

  constructor(
    parts: RequestsOptions,
    method: string,
    params: McpObject,
    options: RequestOptions,
    receiver: ReplyReceiver,
  ) {
    this.parts = parts;
    this.method = method;
    this.params = params;
    this.options = options;
    this.receiver = receiver;
  }

  enter(): void {
    const { caller, signal } = this.options;
    const entering = caller && this.parts.lane.enter(caller, signal);
    if (!entering) this.takeSlot();
    else
      entering.then(
        () => {
          this.hasWaited = true;
          this.takeSlot();
        },
        (error) => this.receiver.fail(error),
      );
  }

  done(reply: Reply): void {
    if (this.leave()) this.receiver.done(reply);
  }

  fail(error: Error): void {
    if (this.isRepeated || this.isOver || !(error.cause instanceof ProcessMoved)) {
      if (this.leave()) this.receiver.fail(error);
      return;
    }
    // The request was certainly not executed, so it is sent to the next owner of the process.
    this.isRepeated = true;
    this.parts.afterMove(this.options.signal).then(
      () => {
        this.hasWaited = true;
        this.send();
      },
      (second) => this.fail(second),
    );
  }

  private takeSlot(): void {
    if (!SLOTTED.has(this.method)) {
      this.send();
      return;
    }
    try {
      const waiting = this.parts.slots.take(this.options.signal);
      if (!waiting) this.sendWithSlot();
      else
        waiting.then(
          () => {
            this.hasWaited = true;
            this.sendWithSlot();
          },
          (error) => this.fail(error),
        );
    } catch (error) {
      this.fail(error as Error);
    }
  }

  private sendWithSlot(): void {
    const { parts, options } = this;
    const { onQuestion } = options;
    this.slotSince = parts.clock.now();
    // While a person thinks about a question, other calls may use the slot.
    if (onQuestion)
      options.onQuestion = (question) => {
        this.releaseSlot();
        onQuestion(question);
      };
    this.send();
  }

  private send(): void {
    const { parts, method, params, options } = this;
    const refusal = this.hasWaited ? options.judge?.judgeAgain() : undefined;
    if (refusal) {
      const refuse = (error: Error) => this.fail(error);
      refusal.then(refuse, refuse);
      return;
    }
    try {
      parts.sender().start(method, params, options, this);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  /** Gives back what the request holds. @returns false if its outcome is known already */
  private leave(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.releaseSlot();
    if (this.options.caller) this.parts.lane.leave();
    return true;
  }

  private releaseSlot(): void {
    if (this.slotSince === undefined) return;
    this.parts.slots.release(this.parts.clock.now() - this.slotSince);
    this.slotSince = undefined;
  }
}

/** The methods of clients. Requests of the proxy itself are limited elsewhere. */
const SLOTTED: ReadonlySet<string> = new Set(["tools/call", "resources/read", "prompts/get", "completion/complete"]);
