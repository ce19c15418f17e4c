import type { Caller } from "../schema/caller.ts";
import type { ConnectionStatus } from "../schema/connection-status.ts";
import type { LogReceiver } from "../schema/log-message.ts";
import type { InputContext, McpObject, Progress, Reply } from "../schema/mcp.ts";
import type { ServerCapabilities } from "../schema/server-capabilities.ts";
import type { ReplyReceiver } from "./protocol/reply-receiver.ts";
import type { UpstreamQuestion } from "./protocol/upstream-question.ts";
import type { UpstreamLogging } from "./upstream-logging.ts";

/** The connections to upstreams, according to the configuration. */
export interface Upstreams {
  get(server: string): Upstream | undefined;
  /**
   * Returns the connection of one user to a server to which each user signs in separately (`auth_broker`); it is made
   * when first requested. The tools of the server are known from the shared connection.
   */
  forUser(server: string, user: string): Upstream | undefined;
  /** Returns the status of that connection; undefined if there is none. It does not make one. */
  userStatus(server: string, user: string): ConnectionStatus | undefined;
  /** Ends the connections of one user, to one server or to all. */
  dropUser(user: string, server?: string): void;
  /** Connects to the configured servers for the first time, and ends what an earlier run left behind. */
  start(): void;
  /**
   * Applies the configuration to the connections; only those whose definition changed are affected. Called after each
   * change of the configuration (`reactToConfigChanges`); does nothing before `start`.
   */
  reconcile(): void;
  /** The log messages that servers send to clients. */
  readonly logging: UpstreamLogging;
  /** Starts the attempts at once for which connections are waiting. */
  retry(reason: string): void;
  /** Ends every connection and child process; resolves within 10 s. */
  close(): Promise<void>;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** After this time without a response, the request fails with Fault call_timeout and is cancelled at the upstream. */
  timeoutMs: number;
  onProgress?: (progress: Progress) => void;
  /** Set if the response is a task, whose progress continues under the token of this request (2025-11-25). */
  makesTask?: boolean;
  /** Set if the result may contain questions (`input_required`), which servers of 2026-07-28 may ask. */
  asking?: InputContext;
  /**
   * The caller for whom the request is made; absent for the proxy's own requests. Used for questions that name no
   * request.
   */
  caller?: Caller;
  /** Set if the request may be sent after a wait only if it is still allowed then. */
  judge?: RequestJudge;
  /** Set if the caller accepts log messages of the request. */
  logs?: LogReceiver;
  /** Called when the server confirms the subscription that this request opens (2026-07-28). */
  onAcknowledged?: (params: McpObject) => void;
  /** Set if the caller can be asked: receives questions of an upstream of versions up to 2025-11-25. */
  onQuestion?: (question: UpstreamQuestion) => void;
}

/** Decides about a request that had to wait for a slot or for a connection. */
export interface RequestJudge {
  /** Called immediately before the request is sent. @returns the error with which it fails; undefined to send it */
  judgeAgain(): Promise<Error> | undefined;
}

/** Receives the updates of one resource. */
export interface ResourceWatcher {
  /** Called after each update. @param uri of the resource, or of a part of it */
  updated(uri: string): void;
  /** Called when the server was removed or disabled, so that no update will follow. */
  ended(): void;
}

/** The calls of one server at this moment. A call that has its own slot but waits for a global one counts as active. */
export interface CallLoad {
  readonly active: number;
  readonly waiting: number;
}

/** One configured upstream, whether or not it is connected. */
export interface Upstream {
  readonly name: string;
  /** True if it is connected when it is first used. */
  readonly connectsOnUse: boolean;
  /** True while another replica takes over its process; calls wait for that. */
  isMoving(): boolean;
  status(): ConnectionStatus;
  load(): CallLoad;
  /** The capabilities that it declared when it was last connected; undefined before that. */
  readonly capabilities: ServerCapabilities | undefined;
  /**
   * Sends one request over the open connection and waits for its response. Calls, reads and completions first take a
   * slot of the server's limit and of the global one.
   * @throws Fault server_not_ready, call_timeout, cancelled, queue_full, queue_timeout, upstream_failed
   * @throws RpcError the upstream's error
   */
  request(method: string, params: McpObject, options: RequestOptions): Promise<Reply>;
  /** Like `request`, without a promise, which would be one of the costs of each call. It does not throw. */
  start(method: string, params: McpObject, options: RequestOptions, receiver: ReplyReceiver): void;
  /**
   * Calls `act` once if the server reports that a person has finished at a URL that the server asked to open
   * (2025-11-25, elicitation).
   */
  onElicitationComplete(elicitationId: string, act: () => void): void;
  /**
   * Subscribes to updates of a resource over this and every later connection. There is one watcher for each URI.
   *
   * @throws RpcError the server's error; Fault
   */
  watch(uri: string, watcher: ResourceWatcher): Promise<void>;
  unwatch(uri: string): void;
  /**
   * Calls `changed` when the server reports a change of a task, over this and every later connection.
   *
   * @returns a function that ends it
   * @throws RpcError, UpstreamError if a server of 2026-07-28 does not accept
   */
  watchTask(taskId: string, changed: () => void): Promise<() => void>;
  /** Replaces the secrets of its definition in a text that the server may have written, for records. */
  mask(text: string): string;
  /** Closes the connection and opens a new one; resolves when Ready or when the first attempt failed. */
  restart(reason: string, signal?: AbortSignal): Promise<void>;
  /**
   * Waits for Ready, joining or starting an attempt; used for `reconnect_on_use` and while the process moves.
   *
   * @throws Fault server_not_ready
   */
  ensureReady(timeoutMs: number, signal?: AbortSignal): Promise<void>;
  /** Lists its tools now and passes them to the catalog; concurrent calls share one listing. */
  discover(reason: string): Promise<void>;
}
