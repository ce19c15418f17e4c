import { type App, part } from "../app.ts";
import { Fault } from "../base/fault.ts";
import { loopShare } from "../base/loop-share.ts";
import { firstReason, judge } from "../policy/judge.ts";
import type { Caller } from "../schema/caller.ts";
import { RPC, RpcError } from "../schema/mcp.ts";
import type { Upstream } from "../upstream/upstreams.ts";
import { itemFault } from "./item-fault.ts";
import { resourceSnapshot } from "./resource-snapshot.ts";
import { upstreamFor } from "./upstream-for.ts";

/** A subscriber: a session (up to 2025-11-25), or an open `subscriptions/listen` request (2026-07-28). */
export interface ResourceSubscriber {
  /** The caller of the latest request. */
  readonly caller: Caller;
  /** @param uri the URI that the client subscribed to, or that of a part of this resource */
  updated(uri: string): void;
}

interface SubscribedResource {
  readonly server: string;
  /** URI of the resource as its server writes it. */
  readonly uri: string;
  /** URI of the resource as the client sent it. */
  readonly name: string;
}

/**
 * The subscriptions of clients to resources. The proxy subscribes once to each resource at its server, however many
 * clients subscribe to it, and unsubscribes when the last of them has.
 */
interface ResourceSubscriptions {
  /**
   * Resolves when the server has accepted the subscription.
   *
   * @throws Fault item_not_found, item_blocked, user_connect_needed, server_not_ready
   * @throws RpcError if there are too many subscriptions, or the error of the server
   */
  subscribe(subscriber: ResourceSubscriber, resource: SubscribedResource, signal: AbortSignal): Promise<void>;
  unsubscribe(subscriber: ResourceSubscriber, name: string): void;
  /** Call when the client has disconnected. */
  end(subscriber: ResourceSubscriber): void;
  /** The number of resources that are subscribed to at servers, and of clients that subscribed. */
  counts(): { resources: number; subscribers: number };
}

/** Maximum number of subscriptions of one client. */
const MAX_PER_CLIENT = 256;
/** Maximum number of subscribed resources of one server. */
const MAX_PER_SERVER = 2000;
/** Updates of a resource within this time are combined to one notification. (ms) */
const SETTLE_MS = 50;
/**
 * Maximum number of waiting notifications of one client. If there are more, an update of a part of a resource is
 * reported as an update of the whole resource.
 */
const MAX_PARTS = 16;
/** A client that reconnects subscribes again at once, so the proxy waits this long before it unsubscribes. (ms) */
const LAPSE_MS = 1000;

/** A resource that is subscribed to at its server, and its subscribers. */
interface Subscribed {
  readonly server: string;
  readonly uri: string;
  readonly upstream: Upstream;
  readonly subscribers: Map<Subscriber, Set<string>>;
  /** Settles with the server's response. */
  agreed: Promise<void>;
  stopLapse: (() => void) | undefined;
}

interface Subscriber {
  readonly client: ResourceSubscriber;
  readonly names: Map<string, Subscribed>;
  /** Waiting notifications, by the subscribed URI and the URI to report. */
  readonly due: Map<string, { name: string; uri: string }>;
  stopTimer: (() => void) | undefined;
}

/** The subscriptions to resources of all clients of this App. */
export const resourceSubscriptions = part("resourceSubscriptions", createResourceSubscriptions);

function createResourceSubscriptions(app: App): ResourceSubscriptions {
  const { clock } = app;
  const subscribers = new Map<ResourceSubscriber, Subscriber>();
  /** Subscribed resources by server connection and URI. */
  const subscribed = new Map<Upstream, Map<string, Subscribed>>();

  const entryFor = (upstream: Upstream, { server, uri }: SubscribedResource): Subscribed => {
    const all = subscribed.get(upstream) ?? new Map<string, Subscribed>();
    const watch = all.get(uri);
    if (watch) {
      watch.stopLapse?.();
      watch.stopLapse = undefined;
      return watch;
    }
    if (all.size >= MAX_PER_SERVER)
      throw tooMany(`clients are subscribed to ${MAX_PER_SERVER} resources of "${server}" already`);
    const entry: Subscribed = {
      server,
      uri,
      upstream,
      subscribers: new Map(),
      agreed: Promise.resolve(),
      stopLapse: undefined,
    };
    subscribed.set(upstream, all.set(uri, entry));
    entry.agreed = upstream.watch(uri, {
      updated: (changed) => updated(entry, changed),
      ended: () => ended(entry),
    });
    // The subscriber awaits the promise; a rejection that nobody awaits must not count as unhandled.
    entry.agreed.catch(() => {});
    return entry;
  };

  const updated = (entry: Subscribed, changed: string) => {
    const suffix = changed.slice(entry.uri.length);
    for (const [subscriber, names] of entry.subscribers) {
      for (const name of names) {
        // A server may report any number of parts of a resource. Above the limit, the whole resource is reported.
        const uri = subscriber.due.size < MAX_PARTS ? name + suffix : name;
        subscriber.due.set(`${name}\n${uri}`, { name, uri });
      }
      subscriber.stopTimer ??= clock.after(SETTLE_MS, () => {
        subscriber.stopTimer = undefined;
        app.log.catch("notifying a client of updated resources", deliver(subscriber));
      });
    }
  };

  /**
   * Sends the waiting notifications. Each is judged again, because rights may have changed; if a client may no longer
   * see a resource, its subscription ends.
   */
  const deliver = async (subscriber: Subscriber): Promise<void> => {
    const { client, names } = subscriber;
    const due = [...subscriber.due.values()];
    subscriber.due.clear();
    const pause = loopShare("background");
    for (const { name, uri } of due) {
      const entry = names.get(name);
      if (!entry) continue;
      if (isAllowed(client.caller, entry)) client.updated(uri);
      else leave(subscriber, name);
      const others = pause();
      if (others) await others;
    }
  };

  const isAllowed = ({ scope }: Caller, { server, uri }: Subscribed): boolean =>
    firstReason(resourceSnapshot(app, server, uri), { scope, connection: false }) === undefined;

  const leave = (subscriber: Subscriber, name: string) => {
    const entry = subscriber.names.get(name);
    if (!entry) return;
    subscriber.names.delete(name);
    const names = entry.subscribers.get(subscriber);
    names?.delete(name);
    if (names?.size === 0) entry.subscribers.delete(subscriber);
    if (subscriber.names.size === 0) forget(subscriber);
    if (entry.subscribers.size === 0) entry.stopLapse ??= clock.after(LAPSE_MS, () => lapse(entry));
  };

  const forget = (subscriber: Subscriber) => {
    subscriber.stopTimer?.();
    subscriber.due.clear();
    subscribers.delete(subscriber.client);
  };

  const lapse = (entry: Subscribed) => {
    if (remove(entry)) entry.upstream.unwatch(entry.uri);
  };

  const remove = (entry: Subscribed): boolean => {
    const { upstream, uri } = entry;
    const all = subscribed.get(upstream);
    if (all?.get(uri) !== entry) return false;
    all.delete(uri);
    if (all.size === 0) subscribed.delete(upstream);
    return true;
  };

  /** Ends the subscriptions to a resource if its server rejected the subscription, or was removed or disabled. */
  const ended = (entry: Subscribed) => {
    for (const [subscriber, names] of [...entry.subscribers]) for (const name of [...names]) leave(subscriber, name);
    remove(entry);
    entry.stopLapse?.();
  };

  return {
    async subscribe(client, resource, signal) {
      const { server, uri, name } = resource;
      const verdict = judge(resourceSnapshot(app, server, uri), { scope: client.caller.scope, connection: false });
      if (!verdict.ready) throw itemFault({ kind: "resource", server, name: uri }, verdict);
      const upstream = await upstreamFor(app, client.caller, server, signal);
      if (signal.aborted) throw new Fault("cancelled");
      const subscriber: Subscriber = subscribers.get(client) ?? {
        client,
        names: new Map(),
        due: new Map(),
        stopTimer: undefined,
      };
      if (!subscriber.names.has(name) && subscriber.names.size >= MAX_PER_CLIENT)
        throw tooMany(`a client may be subscribed to ${MAX_PER_CLIENT} resources; unsubscribe from one first`);
      const entry = entryFor(upstream, resource);
      if (subscriber.names.get(name) !== entry) leave(subscriber, name);
      subscribers.set(client, subscriber);
      subscriber.names.set(name, entry);
      entry.subscribers.set(subscriber, (entry.subscribers.get(subscriber) ?? new Set()).add(name));
      try {
        await entry.agreed;
      } catch (error) {
        ended(entry);
        throw error;
      }
    },
    unsubscribe(client, name) {
      const subscriber = subscribers.get(client);
      if (subscriber) leave(subscriber, name);
    },
    end(client) {
      const subscriber = subscribers.get(client);
      if (subscriber) for (const name of [...subscriber.names.keys()]) leave(subscriber, name);
    },
    counts() {
      let resources = 0;
      for (const all of subscribed.values()) resources += all.size;
      return { resources, subscribers: subscribers.size };
    },
  };
}

function tooMany(reason: string): RpcError {
  return new RpcError({ code: RPC.internal, message: `Too many subscriptions: ${reason}` });
}
