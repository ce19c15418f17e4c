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

/** Who is subscribed: a session of the 2025 family, or an open `subscriptions/listen` request of 2026-07-28. */
export interface ResourceSubscriber {
  /** As of its latest request. */
  readonly caller: Caller;
  /** @param uri in the spelling that the client subscribed with; it may be of a part of that resource */
  updated(uri: string): void;
}

interface SubscribedResource {
  readonly server: string;
  /** URI of the resource in the server's own spelling. */
  readonly uri: string;
  /** URI of the resource as the client sent it. */
  readonly name: string;
}

/**
 * The resources that clients are subscribed to. However many clients subscribe to a resource, its server gets one
 * subscription, which ends when the last of them has left.
 */
interface ResourceSubscriptions {
  /**
   * Resolves when the server agreed.
   *
   * @throws Fault item_not_found, item_blocked, user_connect_needed, server_not_ready
   * @throws RpcError too many subscriptions, or the server's own refusal
   */
  subscribe(subscriber: ResourceSubscriber, resource: SubscribedResource, signal: AbortSignal): Promise<void>;
  unsubscribe(subscriber: ResourceSubscriber, name: string): void;
  /** The client is gone. */
  end(subscriber: ResourceSubscriber): void;
  /** What is subscribed to at servers, and by how many clients. */
  counts(): { resources: number; subscribers: number };
}

/** Subscriptions of one client. */
const MAX_PER_CLIENT = 256;
/** Resources of one server that are subscribed to. */
const MAX_PER_SERVER = 2000;
/** Updates within this time are one notification for each resource. (ms) */
const SETTLE_MS = 50;
/** Of one notification time, for one client: beyond so many, parts of resources are reported as the whole resource. */
const MAX_PARTS = 16;
/** A client that reconnects subscribes again at once, so nothing is ended for so long. (ms) */
const LAPSE_MS = 1000;

/** A resource, and whom its updates go to. */
interface Subscribed {
  readonly server: string;
  readonly uri: string;
  readonly upstream: Upstream;
  readonly subscribers: Map<Subscriber, Set<string>>;
  /** The server's answer. */
  agreed: Promise<void>;
  stopLapse: (() => void) | undefined;
}

interface Subscriber {
  readonly client: ResourceSubscriber;
  readonly names: Map<string, Subscribed>;
  /** Notifications to come: the URI for the client, by the name of the subscription and that URI. */
  readonly due: Map<string, { name: string; uri: string }>;
  stopTimer: (() => void) | undefined;
}

export const resourceSubscriptions = part("resourceSubscriptions", createResourceSubscriptions);

function createResourceSubscriptions(app: App): ResourceSubscriptions {
  const { clock } = app;
  const subscribers = new Map<ResourceSubscriber, Subscriber>();
  /** By server connection and URI. */
  const subscribed = new Map<Upstream, Map<string, Subscribed>>();

  const entryFor = (upstream: Upstream, { server, uri }: SubscribedResource): Subscribed => {
    const all = subscribed.get(upstream) ?? new Map<string, Subscribed>();
    const known = all.get(uri);
    if (known) {
      known.stopLapse?.();
      known.stopLapse = undefined;
      return known;
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
    // Whoever subscribes waits for it; nobody else has to.
    entry.agreed.catch(() => {});
    return entry;
  };

  const updated = (entry: Subscribed, changed: string) => {
    const suffix = changed.slice(entry.uri.length);
    for (const [subscriber, names] of entry.subscribers) {
      for (const name of names) {
        // A server that reports endless parts of a resource gets it reported as a whole.
        const uri = subscriber.due.size < MAX_PARTS ? name + suffix : name;
        subscriber.due.set(`${name}\n${uri}`, { name, uri });
      }
      subscriber.stopTimer ??= clock.after(SETTLE_MS, () => {
        subscriber.stopTimer = undefined;
        app.log.catch("notifying a client of updated resources", deliver(subscriber));
      });
    }
  };

  /** Judged each time, since what a caller may see changes: one that lost access is subscribed no longer. */
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

  /** The server refused, or was removed or disabled. */
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
