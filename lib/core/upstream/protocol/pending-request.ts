import { Fault } from "../../base/fault.ts";
import { forgetAbort } from "../../base/single-abort.ts";
import type { McpObject, Reply } from "../../schema/mcp.ts";
import type { RequestOptions } from "../upstreams.ts";
import type { ReplyReceiver } from "./reply-receiver.ts";

export interface PendingRequestOwner {
  /** Called when the caller has cancelled or the time is over. */
  abandon(pending: PendingRequest, error: Error, reason: string): void;
  /** Names what was called, for the message of a timeout. */
  label(method: string, tool: unknown): string;
}

/** One request without a response. It is itself the listener for the caller's abort. */
export class PendingRequest {
  readonly id: number;
  readonly method: string;
  deadline: number;
  /** Number of the upstream's questions in this request that wait for an answer. */
  questions = 0;
  private readonly owner: PendingRequestOwner;
  private readonly tool: unknown;
  readonly options: RequestOptions;
  private readonly receiver: ReplyReceiver;

  constructor(
    owner: PendingRequestOwner,
    id: number,
    method: string,
    params: McpObject,
    deadline: number,
    options: RequestOptions,
    receiver: ReplyReceiver,
  ) {
    this.owner = owner;
    this.id = id;
    this.method = method;
    this.tool = params.name;
    this.deadline = deadline;
    this.options = options;
    this.receiver = receiver;
  }

  done(reply: Reply): void {
    this.unlisten();
    this.receiver.done(reply);
  }

  fail(error: Error): void {
    this.unlisten();
    this.receiver.fail(error);
  }

  private unlisten(): void {
    const { signal } = this.options;
    if (signal) forgetAbort(signal, this);
  }

  handleEvent(): void {
    this.owner.abandon(this, new Fault("cancelled"), "the caller cancelled the request");
  }

  expire(): void {
    const ms = this.options.timeoutMs;
    const fault = new Fault("call_timeout", { id: this.owner.label(this.method, this.tool), ms });
    this.owner.abandon(this, fault, `no response within ${ms} ms`);
  }
}
