import type { Caller } from "../schema/caller.ts";
import type { ConnectionStatus } from "../schema/connection-status.ts";
import type { LogReceiver } from "../schema/log-message.ts";
import type { InputContext, McpObject, Progress, Reply } from "../schema/mcp.ts";
import type { ServerCapabilities } from "../schema/server-capabilities.ts";
import type { UpstreamQuestion } from "./protocol/upstream-question.ts";
import type { UpstreamLogging } from "./upstream-logging.ts";

/** The live connections, kept in step with the configuration. */
export interface Upstreams {
  get(server: string): Upstream | undefined;
  all(): Iterable<Upstream>;
  /**
   * The connection of one user to a server that everybody signs in to themselves (`auth_broker`), made when it is first
   * asked for. What tools there are is learnt from the shared connection alone.
   */
  forUser(server: string, user: string): Upstream | undefined;
  /** How that connection is, where there is one; none is made. */
  userStatus(server: string, user: string): ConnectionStatus | undefined;
  /** Ends the connections of one user, to one server or to all. */
  dropUser(user: string, server?: string): void;
  /** Connects to the configured servers for the first time, and ends what an earlier run left behind. */
  start(): void;
  /**
   * Brings connections in step with the configuration; touches only those whose definition changed. Called once after
   * each change of the configuration (`reactToConfigChanges`); does nothing before `start`.
   */
  reconcile(): void;
  /** The log messages that servers write for clients. */
  readonly logging: UpstreamLogging;
  /** Tries those that wait for their next attempt at once. */
  retry(reason: string): void;
  /** Ends every connection and child process; resolves within 10 s. */
  close(): Promise<void>;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** No answer within this time ends the request with Fault call_timeout and a cancellation to the upstream. */
  timeoutMs: number;
  onProgress?: (progress: Progress) => void;
  /** The answer is a task, whose progress goes on after it under the token of this request (2025-11-25). */
  makesTask?: boolean;
  /** Given when the answer may be a question (`input_required`); passed on to upstreams of the 2026 era. */
  asking?: InputContext;
  /** Who the request is made for; absent for the proxy's own. Questions that name no request go by it. */
  caller?: Caller;
  /** Given when the caller takes log messages of the request. */
  logs?: LogReceiver;
  /** Called when the server confirms a subscription that this request opens (2026 era). */
  onAcknowledged?: (params: McpObject) => void;
  /** Given when the caller can be asked: takes a question of an upstream of the 2025 family. */
  onQuestion?: (question: UpstreamQuestion) => void;
}

/** Who hears of the updates of one resource. */
export interface ResourceWatcher {
  /** @param uri of the resource, or of a part of it */
  updated(uri: string): void;
  /** The server was removed or disabled: no update comes any more. */
  ended(): void;
}

/** One upstream: configured, whether or not it is connected right now. */
export interface Upstream {
  readonly name: string;
  /** It is connected to when it is first used. */
  readonly connectsOnUse: boolean;
  status(): ConnectionStatus;
  /** What it declared when it was connected to last; undefined before that. */
  readonly capabilities: ServerCapabilities | undefined;
  /**
   * Sends one request over the live connection and waits for its answer. Calls, reads and
   * completions first take a place in the server's and the global limiter.
   * @throws Fault server_not_ready, call_timeout, cancelled, queue_full, queue_timeout, upstream_failed
   * @throws RpcError as the upstream gave it
   */
  request(method: string, params: McpObject, options: RequestOptions): Promise<Reply>;
  /** Calls `act` once if it reports that a person is done at an address it asked to open (2025-11-25, elicitation). */
  onElicitationComplete(elicitationId: string, act: () => void): void;
  /**
   * Subscribes to updates of a resource over this and every later connection; there is one watcher for each URI.
   *
   * @throws RpcError the server's own refusal; Fault
   */
  watch(uri: string, watcher: ResourceWatcher): Promise<void>;
  unwatch(uri: string): void;
  /**
   * Calls `changed` when the server reports a change of a task, over this and every later connection.
   *
   * @returns what ends it
   * @throws RpcError, UpstreamError a server of 2026-07-28 does not agree
   */
  watchTask(taskId: string, changed: () => void): Promise<() => void>;
  /** Replaces the secrets of its definition in a text that it may have written, for records of it. */
  mask(text: string): string;
  /** Drops the connection and makes a new one; resolves when Ready or at the failure of the first attempt. */
  restart(reason: string, signal?: AbortSignal): Promise<void>;
  /** Waits for Ready, joining or starting one attempt; for `reconnect_on_use`. @throws Fault server_not_ready */
  ensureReady(timeoutMs: number, signal?: AbortSignal): Promise<void>;
  /** Lists its tools now and hands them to the catalog; concurrent calls share one listing. */
  discover(reason: string): Promise<void>;
}
