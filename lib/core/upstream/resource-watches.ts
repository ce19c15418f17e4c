import type { Clock } from "../base/clock.ts";
import { type McpObject, RPC, RpcError } from "../schema/mcp.ts";
import type { ActiveConnection } from "./active-connection.ts";
import { createSubscriptionStream, type SubscriptionStream } from "./subscription-stream.ts";
import type { RequestOptions, ResourceWatcher } from "./upstreams.ts";

/** One open connection. */
type WatchChannel = Pick<ActiveConnection, "opened" | "sender">;

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

export interface ResourceWatchesOptions {
  readonly clock: Clock;
  /** Writes the refusal of a subscription to the server's log. */
  subscriptionRefused(line: string): void;
}

/** Timeout until a server has accepted a subscription. (ms) */
const SUBSCRIBE_MS = 10_000;
/** Maximum number of subscriptions that are renewed at the same time. */
const RENEWED_AT_ONCE = 8;
/** A server may report a part of a resource. So many of its parents are searched for a subscription. */
const MAX_PARENTS = 32;

export function createResourceWatches(options: ResourceWatchesOptions): ResourceWatches {
  return new Watches(options);
}

/** A class whose Map is made for the first subscription, because there is one for each server. */
class Watches implements ResourceWatches {
  private readonly options: ResourceWatchesOptions;
  private watchers: Map<string, ResourceWatcher> | undefined = undefined;
  private channel: WatchChannel | undefined = undefined;
  private stream: SubscriptionStream | undefined = undefined;

  constructor(options: ResourceWatchesOptions) {
    this.options = options;
  }

  async watch(uri: string, watcher: ResourceWatcher): Promise<void> {
    this.watchers ??= new Map();
    const { watchers, channel } = this;
    watchers.set(uri, watcher);
    if (!channel) return;
    try {
      await this.subscribe(channel, uri);
    } catch (error) {
      if (watchers.get(uri) === watcher) watchers.delete(uri);
      throw error;
    }
  }

  unwatch(uri: string): void {
    const { channel } = this;
    if (!this.watchers?.delete(uri) || !channel || !isOffered(channel)) return;
    if (this.stream) {
      this.stream.remove(uri);
      return;
    }
    channel.sender
      .send("resources/unsubscribe", { uri }, { timeoutMs: SUBSCRIBE_MS })
      .catch((error) => this.failed(channel, error));
  }

  notified({ uri }: McpObject): void {
    const { watchers } = this;
    if (typeof uri !== "string" || !watchers || watchers.size === 0) return;
    watchers.get(uri)?.updated(uri);
    for (const parent of parentsOf(uri)) watchers.get(parent)?.updated(uri);
  }

  connected(to: WatchChannel): void {
    this.stream?.close();
    this.channel = to;
    const listen = (uris: string[], options: RequestOptions) =>
      to.sender.send("subscriptions/listen", { notifications: { resourceSubscriptions: uris } }, options);
    this.stream =
      to.opened.handshake.family.name === "2026"
        ? createSubscriptionStream({ clock: this.options.clock, member: "resourceSubscriptions", listen })
        : undefined;
    if (this.isWatching()) void this.renew(to);
  }

  disconnected(): void {
    this.stream?.close();
    this.stream = undefined;
    this.channel = undefined;
  }

  missed(): void {
    for (const [uri, watcher] of this.watchers ?? []) watcher.updated(uri);
  }

  isWatching(): boolean {
    return this.watchers !== undefined && this.watchers.size > 0;
  }

  end(): void {
    const left = [...(this.watchers?.values() ?? [])];
    this.watchers?.clear();
    for (const watcher of left) watcher.ended();
  }

  private async subscribe(to: WatchChannel, uri: string): Promise<void> {
    if (!isOffered(to)) throw notOffered();
    if (this.stream) return this.stream.add(uri);
    await to.sender.send("resources/subscribe", { uri }, { timeoutMs: SUBSCRIBE_MS });
  }

  private async renew(to: WatchChannel): Promise<void> {
    const uris = [...(this.watchers?.keys() ?? [])];
    const next = async (): Promise<void> => {
      for (let uri = uris.pop(); uri !== undefined && this.channel === to; uri = uris.pop())
        if (this.watchers?.has(uri)) {
          await this.subscribe(to, uri).catch((error: Error) => this.failed(to, error));
          // The resource may have changed before the subscription was renewed.
          if (this.channel === to) this.watchers.get(uri)?.updated(uri);
        }
    };
    await Promise.all(Array.from({ length: RENEWED_AT_ONCE }, next));
  }

  private failed(to: WatchChannel, error: Error): void {
    if (this.channel === to) this.options.subscriptionRefused(`it did not accept a subscription: ${error.message}`);
  }
}

/** True if the server declares that clients can subscribe to resources. */
function isOffered({ opened }: WatchChannel): boolean {
  return opened.handshake.capabilities.resources?.subscribe === true;
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
