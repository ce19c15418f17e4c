import { LRUCache } from "lru-cache";
import { reasonOf } from "../../base/fault.ts";
import { isJsonObject } from "../../base/json-object.ts";
import { isAtLeast, isMessageLevel } from "../../schema/log-message.ts";
import { type McpObject, META_PREFIX, type Progress } from "../../schema/mcp.ts";
import type { ExchangeHooks } from "./exchange-hooks.ts";
import { logRecipient } from "./log-recipient.ts";
import type { OpenQuestions } from "./open-questions.ts";
import type { PendingRequests } from "./pending-requests.ts";
import { requestProgress } from "./request-progress.ts";
import { isRpcId } from "./upstream-message.ts";

/** Maximum number of tasks of one connection whose progress is forwarded. */
const MAX_TASKS = 200;

interface NotificationRouterOptions {
  readonly requests: PendingRequests;
  readonly questions: OpenQuestions;
  readonly hooks: ExchangeHooks;
}

/** Passes each notification of an upstream to the request it belongs to, or to the owner of the connection. */
export class NotificationRouter {
  private readonly requests: PendingRequests;
  private readonly questions: OpenQuestions;
  private readonly hooks: ExchangeHooks;
  /** Receivers of the progress of tasks, by progress token. The token stays valid after the response to the request. */
  private taskProgress: LRUCache<number, (progress: Progress) => void> | undefined;

  constructor({ requests, questions, hooks }: NotificationRouterOptions) {
    this.requests = requests;
    this.questions = questions;
    this.hooks = hooks;
  }

  /** Forwards the progress of the task that this request creates, even after the response. */
  expectTaskProgress(token: number, receive: (progress: Progress) => void): void {
    this.taskProgress ??= new LRUCache({ max: MAX_TASKS });
    this.taskProgress.set(token, receive);
  }

  /** Passes on one notification. @param carrier id of the request on whose stream it came, if the transport can tell */
  route(method: string, params: McpObject, carrier: number | undefined): void {
    switch (method) {
      case "notifications/progress":
        this.progress(params);
        return;
      case "notifications/message":
        this.log(params, carrier);
        return;
      case "notifications/cancelled":
        if (isRpcId(params.requestId)) this.questions.withdraw(params.requestId);
        return;
      case "notifications/subscriptions/acknowledged": {
        const id = subscriptionId(params) ?? carrier;
        if (id !== undefined) this.requests.get(id)?.options.onAcknowledged?.(params);
        return;
      }
      default:
        this.hooks.notification(method, params);
    }
  }

  private progress(params: McpObject): void {
    const { progressToken } = params;
    if (typeof progressToken !== "number") return;
    const pending = this.requests.get(progressToken);
    const report = pending ? pending.options.onProgress : this.taskProgress?.get(progressToken);
    const progress = report && requestProgress(params);
    if (!progress) return;
    try {
      report(progress);
    } catch (error) {
      this.hooks.fault(`progress could not be forwarded: ${reasonOf(error)}`);
    }
  }

  private log(params: McpObject, carrier: number | undefined): void {
    const request = carrier === undefined ? undefined : this.requests.get(carrier);
    if (carrier !== undefined && !request) return;
    // A message on the stream of one of the proxy's own requests is for all clients.
    const recipient = request?.options.caller ? request : logRecipient(this.requests.values());
    if (recipient === "nobody") return;
    if (recipient === "everybody") {
      const message = this.hooks.logged?.(params);
      if (message) this.hooks.loggedForAll?.(message);
      return;
    }
    const { logs } = recipient.options;
    if (!logs || !isMessageLevel(params.level) || !isAtLeast(params.level, logs.level)) return;
    const message = this.hooks.logged?.(params);
    if (message) logs.receive(message);
  }
}

/** Returns the id of the request that opened the subscription of a notification. */
function subscriptionId({ _meta }: McpObject): number | undefined {
  const id = isJsonObject(_meta) ? _meta[`${META_PREFIX}subscriptionId`] : undefined;
  // Some servers return the numeric id as a string.
  return typeof id === "string" || typeof id === "number" ? Number(id) : undefined;
}
