import type { Clock } from "../base/clock.ts";
import { type McpObject, type Reply, RPC, RpcError } from "../schema/mcp.ts";
import { createSubscriptionStream, type SubscriptionStream } from "./subscription-stream.ts";
import type { RequestOptions, ResourceWatcher } from "./upstreams.ts";

/** One open connection. */
interface WatchChannel {
  /** Whether the server declares that clients can subscribe to resources. */
  readonly isOffered: boolean;
  readonly family: "2025" | "2026";
  send(method: string, params: McpObject, options: RequestOptions): Promise<Reply>;
}

/** The subscriptions to resources of one server, over its current connection. */
export interface ResourceWatches {
  /**
   * Subscribes to a resource, now and after each reconnect. Resolves at once if there is no connection.
   *
   * @throws RpcError the server's error; Fault
   */
  watch(uri: string, watcher: ResourceWatcher): Promise<void>;
  unwatch(uri: string): void;
  /** Handles `notifications/resources/updated`. */
  notified(params: McpObject): void;
  /** Call when a connection was opened or has a new session, which has no subscriptions yet. */
  connected(channel: WatchChannel): void;
  disconnected(): void;
  /** Call when notifications may have been lost: every resource may have changed. */
  missed(): void;
  /** True while clients are subscribed. */
  isWatching(): boolean;
  /** Ends all subscriptions. */
  end(): void;
}

interface ResourceWatchesOptions {
  readonly clock: Clock;
  /** Writes a line to the server's log. */
  fault(line: string): void;
}

/** Timeout until a server has accepted a subscription. (ms) */
const SUBSCRIBE_MS = 10_000;
/** Maximum number of subscriptions that are renewed at the same time. */
const RENEWED_AT_ONCE = 8;
/** A server may report a part of a resource. So many of its parents are searched for a subscription. */
const MAX_PARENTS = 32;

export function createResourceWatches({ clock, fault }: ResourceWatchesOptions): ResourceWatches {
  const watchers = new Map<string, ResourceWatcher>();
  let channel: WatchChannel | undefined;
  let stream: SubscriptionStream | undefined;

  const subscribe = async (to: WatchChannel, uri: string): Promise<void> => {
    if (!to.isOffered) throw notOffered();
    if (stream) return stream.add(uri);
    await to.send("resources/subscribe", { uri }, { timeoutMs: SUBSCRIBE_MS });
  };

  const renew = async (to: WatchChannel): Promise<void> => {
    const uris = [...watchers.keys()];
    const next = async (): Promise<void> => {
      for (let uri = uris.pop(); uri !== undefined && channel === to; uri = uris.pop())
        if (watchers.has(uri)) {
          await subscribe(to, uri).catch((error: Error) => failed(to, error));
          // The resource may have changed before the subscription was renewed.
          if (channel === to) watchers.get(uri)?.updated(uri);
        }
    };
    await Promise.all(Array.from({ length: RENEWED_AT_ONCE }, next));
  };
  const failed = (to: WatchChannel, error: Error) => {
    if (channel === to) fault(`it did not accept a subscription: ${error.message}`);
  };

  return {
    async watch(uri, watcher) {
      watchers.set(uri, watcher);
      if (!channel) return;
      try {
        await subscribe(channel, uri);
      } catch (error) {
        if (watchers.get(uri) === watcher) watchers.delete(uri);
        throw error;
      }
    },
    unwatch(uri) {
      if (!watchers.delete(uri) || !channel?.isOffered) return;
      if (stream) return stream.remove(uri);
      const to = channel;
      to.send("resources/unsubscribe", { uri }, { timeoutMs: SUBSCRIBE_MS }).catch((error) => failed(to, error));
    },
    notified({ uri }) {
      if (typeof uri !== "string" || watchers.size === 0) return;
      watchers.get(uri)?.updated(uri);
      for (const parent of parentsOf(uri)) watchers.get(parent)?.updated(uri);
    },
    connected(to) {
      stream?.close();
      channel = to;
      const listen = (uris: string[], options: RequestOptions) =>
        to.send("subscriptions/listen", { notifications: { resourceSubscriptions: uris } }, options);
      stream =
        to.family === "2026" ? createSubscriptionStream({ clock, member: "resourceSubscriptions", listen }) : undefined;
      if (watchers.size > 0) void renew(to);
    },
    disconnected() {
      stream?.close();
      stream = undefined;
      channel = undefined;
    },
    missed() {
      for (const [uri, watcher] of watchers) watcher.updated(uri);
    },
    isWatching: () => watchers.size > 0,
    end() {
      const left = [...watchers.values()];
      watchers.clear();
      for (const watcher of left) watcher.ended();
    },
  };
}

/** Yields the parents of a URI, with and without a final slash. */
function* parentsOf(uri: string): Generator<string> {
  let end = uri.length;
  for (let i = 0; i < MAX_PARENTS; i++) {
    end = uri.lastIndexOf("/", end - 1);
    if (end <= 0) return;
    if (end < uri.length - 1) yield uri.slice(0, end + 1);
    yield uri.slice(0, end);
  }
}

function notOffered(): RpcError {
  return new RpcError({
    code: RPC.methodNotFound,
    message: "the server does not report updates of its resources; read the resource again instead",
  });
}
