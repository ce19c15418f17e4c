import { Fault } from "../../base/fault.ts";
import type { McpObject, Reply } from "../../schema/mcp.ts";
import type { RequestOptions } from "../upstreams.ts";

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
  private readonly resolve: (reply: Reply) => void;
  private readonly reject: (error: Error) => void;

  constructor(
    owner: PendingRequestOwner,
    id: number,
    method: string,
    params: McpObject,
    deadline: number,
    options: RequestOptions,
    resolve: (reply: Reply) => void,
    reject: (error: Error) => void,
  ) {
    this.owner = owner;
    this.id = id;
    this.method = method;
    this.tool = params.name;
    this.deadline = deadline;
    this.options = options;
    this.resolve = resolve;
    this.reject = reject;
  }

  done(reply: Reply): void {
    this.options.signal?.removeEventListener("abort", this);
    this.resolve(reply);
  }

  fail(error: Error): void {
    this.options.signal?.removeEventListener("abort", this);
    this.reject(error);
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
