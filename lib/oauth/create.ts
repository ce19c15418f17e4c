import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import type { LiveConfig } from "../config/live.ts";
import type { Dialler } from "../dial/dial.ts";
import type { Bus } from "../events/bus.ts";
import type { Logger } from "../log/log.ts";
import type { Keyring } from "../secrets/keyring.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { MetaStore } from "../store/store.ts";
import { addressFor, scopesFor } from "./address.ts";
import { suggestionFor, unknownFlow } from "./advice.ts";
import { type Browser, createBrowser } from "./browser.ts";
import type { Authority, Client, Credentials, Pending } from "./credentials.ts";
import { diagnostics } from "./diagnostics.ts";
import { discover } from "./discover.ts";
import { endTokens } from "./end-tokens.ts";
import { type FlowName, flowFault } from "./flow-fault.ts";
import { exchange, type Grant, renew } from "./grants.ts";
import { createHolder, type Holder, Refused } from "./holder.ts";
import { createKeys, givenKeys } from "./keys.ts";
import { limited } from "./limited.ts";
import type { Finished, OAuth, StartOptions } from "./oauth.ts";
import { createRecords, type Place } from "./records.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import { clientFor } from "./register.ts";
import { type Settings, settingsOf } from "./settings.ts";
import { resourceOf } from "./well-known.ts";

export interface OAuthOptions {
  config: LiveConfig;
  secrets: Secrets;
  dial: Dialler;
  meta: MetaStore;
  events: Bus;
  clock: Clock;
  log: Logger;
  dataDir: string;
  keyring(): Promise<Keyring>;
  env: Readonly<Record<string, string | undefined>>;
  /** What the sign-ins of single users are sealed with. */
  userKey?: () => Promise<Buffer | undefined>;
  /** Instead of the machine's. */
  browser?: Browser | undefined;
}

/** How long a person may take for a sign-in. (ms) */
const FLOW_MS = 600_000;
/** Everything before the browser is opened. (ms) */
const START_MS = 45_000;

/** Sign-in at upstream servers; nothing is read, asked or loaded before somebody needs it. */
export function createOAuth(options: OAuthOptions): OAuth {
  const { config, secrets, dial, events, clock } = options;
  const log = options.log.tagged("oauth");
  const { userKey } = options;
  const shared = createKeys(options.dataDir, options.keyring, log);
  const records = createRecords(options.meta, shared, userKey && givenKeys(userKey));
  const browser = options.browser ?? createBrowser(options.env);
  const holders = new Map<string, Holder & { place: Place }>();
  /** Ends the wait for one flow, by its state. */
  const flows = new Map<string, () => void>();
  const closing = new AbortController();

  const holderOf = (server: string, owner = "") => {
    const key = JSON.stringify([owner, server]);
    let holder = holders.get(key);
    if (!holder) {
      holder = Object.assign(createHolder(holderOptions({ owner, server })), { place: { owner, server } });
      holders.set(key, holder);
    }
    return holder;
  };
  const holderOptions = (place: Place) => ({
    clock,
    read: () =>
      records.get(place).catch((error: unknown) => {
        throw new Error(`the sign-in kept for it cannot be opened: ${reasonOf(error)}`, { cause: error });
      }),
    write: (next: Credentials | undefined) => records.put(place, next),
    renew: (now: Credentials, tokens: Parameters<typeof renew>[1]) => renewal(place, now, tokens),
    wanted: () => config.server(place.server)?.enabled === true,
    renewed(expiresAt: number | undefined) {
      log.debug(`the sign-in at server "${place.server}" was renewed`);
      events.publish("oauth.token_refreshed", {
        server_name: place.server,
        ...(expiresAt !== undefined && { expires_at: new Date(expiresAt).toISOString() }),
      });
    },
    renewalFailed({ text }: Refusal, final: boolean) {
      log.warn(
        `the sign-in at server "${place.server}" ${final ? "has ended" : "could not be renewed, which is tried again"}: ${text}`,
      );
      events.publish("oauth.refresh_failed", { server_name: place.server, error: text });
    },
    changed: () => events.publish("servers.changed", { server: place.server, reason: "sign_in" }),
  });
  const nameOf = (server: string, correlationId: string): FlowName => {
    const { url = "" } = config.server(server) ?? {};
    return { server, correlationId, details: diagnostics(URL.canParse(url) ? resourceOf(new URL(url)) : "") };
  };
  const grantOf = (authority: Authority, client: Client, settings: Settings, signal: AbortSignal): Grant => ({
    dial,
    authority,
    client,
    settings,
    signal: AbortSignal.any([signal, closing.signal]),
    now: clock.now(),
  });

  const renewal = async ({ server }: Place, now: Credentials, tokens: Parameters<typeof renew>[1]) => {
    const { authority, client } = now;
    const entry = config.server(server);
    if (!authority || !client || !entry) throw new Error("it is not known any more where");
    let known: (string | undefined)[] = [tokens.access, tokens.refresh, client.secret];
    try {
      const settings = await settingsOf(entry, secrets, nameOf(server, ""));
      known = [...known, ...settings.secret];
      if (!client.registered && settings.clientId !== client.id)
        throw new Error("oauth.client_id was changed since; sign in again");
      return await renew(grantOf(authority, client, settings, closing.signal), tokens);
    } catch (error) {
      throw new Refused(refusalOf(error, known), { cause: error });
    }
  };

  /** Everybody who waits for this flow is told, and it stands nowhere any more. */
  const settle = async (state: string) => {
    flows.get(state)?.();
    await records.putFlow(state, undefined);
  };
  const expire = async (holder: Holder, name: FlowName, state: string) => {
    let expired = false;
    await holder.change((now) => {
      expired = now.pending?.state === state;
      return expired ? without(now, "pending") : now;
    });
    await settle(state);
    if (expired) noteFailure(holder, name, "nobody finished it in the browser in time", "begin again");
  };
  const noteFailure = (
    holder: Holder,
    { server, correlationId }: FlowName,
    reason: string,
    suggestion: string,
    errorType: string = "code_flow_failed",
  ) => {
    log.warn(`signing in to server "${server}" failed: ${reason}`, { server, correlation_id: correlationId });
    holder.failed({ errorType, reason, suggestion, correlationId, at: clock.now() });
    events.publish("oauth.login_failed", { server_name: server, error: reason, correlation_id: correlationId });
  };

  const start = async (server: string, how: StartOptions) => {
    const { owner = "", correlationId, by } = how;
    const entry = config.server(server);
    if (!entry) throw new Fault("server_not_found", { server });
    const name = nameOf(server, correlationId);
    const holder = holderOf(server, owner);
    const { signal, cancel } = limited(clock, START_MS, [how.signal, closing.signal]);
    try {
      if (options.env.SERVICE_DISABLE_OAUTH === "true")
        throw flowFault(
          "oauth_not_supported",
          name,
          "signing in is switched off in the environment of this proxy",
          "start it without SERVICE_DISABLE_OAUTH",
        );
      const settings = await settingsOf(entry, secrets, name);
      // What cannot be opened any more is replaced by this sign-in.
      const before = await holder.read().catch((error: unknown) => {
        log.warn(`server "${server}": ${reasonOf(error)}; it is replaced`);
        holder.discard();
        return undefined;
      });
      const redirectUri = await how.redirectUri({
        configured: settings.redirectUri,
        before: before?.client?.redirect_uri,
        name,
      });
      const authority = await discover({ dial, clock, settings, name, challenge: holder.challenge(), signal });
      const scopes = settings.scopes ?? scopesFor(authority.scopes, before);
      const about = { dial, authority, settings, name, redirectUri, scopes, signal, now: clock.now() };
      const client = await clientFor(about, before);
      const pending: Pending = {
        state: randomBytes(32).toString("base64url"),
        verifier: randomBytes(48).toString("base64url"),
        correlation_id: correlationId,
        expires_at: clock.now() + FLOW_MS,
        by,
        authority,
        client,
        ...(scopes?.length && { scope: scopes.join(" ") }),
      };
      signal.throwIfAborted();
      const { over } = await open(holder, name, pending);
      log.info(`signing in to server "${server}" began at ${authority.issuer}`, {
        server,
        correlation_id: correlationId,
      });
      const authUrl = addressFor(pending, settings);
      return { authUrl, redirectUri, expiresAt: pending.expires_at, issuer: authority.issuer, over };
    } catch (error) {
      if (how.signal.aborted || closing.signal.aborted) throw new Fault("cancelled");
      const late = "the sign-in server, or the server itself, does not answer in time";
      const fault =
        signal.aborted && !(error instanceof Fault)
          ? flowFault("metadata_discovery_failed", name, late, "try again later", { cause: error })
          : error;
      if (fault instanceof Fault && "suggestion" in fault.facts)
        noteFailure(holder, name, String(fault.facts.reason), String(fault.facts.suggestion), fault.code);
      throw fault;
    } finally {
      cancel();
    }
  };
  /** Keeps a flow in place of the one before. */
  const open = async (holder: Holder & { place: Place }, name: FlowName, pending: Pending) => {
    const { state } = pending;
    await records.putFlow(state, holder.place);
    let replaced: string | undefined;
    await holder
      .change((now) => {
        replaced = now.pending?.state;
        return { ...now, pending, unfinished: true };
      })
      .catch(async (error: unknown) => {
        await records.putFlow(state, undefined);
        throw error;
      });
    if (replaced !== undefined) await settle(replaced);
    holder.failed(undefined);
    // Inside an object, so that only who wants to waits for it.
    const over = new Promise<void>((done) => {
      const cancel = clock.after(FLOW_MS, () => log.catch("ending a sign-in", expire(holder, name, state)));
      flows.set(state, () => {
        cancel();
        flows.delete(state);
        done();
      });
    });
    return { over };
  };

  /** Takes the flow that an answer belongs to, so that nobody else can. */
  const claim = async (state: string, expected: Place | undefined) => {
    const place = state === "" ? undefined : records.flow(state);
    // A single user's comes back to that user's browser alone, which says whose it is; see login of the team.
    const mine =
      place && (expected ? place.server === expected.server && place.owner === expected.owner : place.owner === "");
    if (!mine || !config.server(place.server)) throw unknownFlow(nameOf(expected?.server ?? "", ""));
    const holder = holderOf(place.server, place.owner);
    let taken: Pending | undefined;
    await holder.change((now) => {
      taken = now.pending && sameText(now.pending.state, state) ? now.pending : undefined;
      if (taken) holder.finishing(taken);
      return taken ? without(now, "pending") : now;
    });
    await settle(state);
    if (taken && taken.expires_at <= clock.now()) holder.finishing(undefined);
    if (!taken || taken.expires_at <= clock.now()) throw unknownFlow(nameOf(place.server, ""));
    return { place, holder, pending: taken };
  };

  const finish: OAuth["finish"] = async (answer, expected) => {
    const { place, holder, pending } = await claim(
      answer.get("state") ?? "",
      expected && { server: expected.server, owner: expected.owner ?? "" },
    );
    const { authority, client, correlation_id: correlationId, by } = pending;
    const { server } = place;
    const name = nameOf(server, correlationId);
    const known = [pending.state, pending.verifier, client.secret, answer.get("code") ?? undefined];
    const { epoch } = holder;
    try {
      const entry = config.server(server);
      if (!entry) throw new Fault("server_not_found", { server });
      const settings = await settingsOf(entry, secrets, name);
      known.push(...settings.secret);
      const grant = grantOf(authority, client, settings, closing.signal);
      const tokens = await exchange(grant, pending, answer);
      if (epoch !== holder.epoch) {
        await endTokens(grant, tokens, clock, log);
        throw new Error("somebody signed out meanwhile");
      }
      const scope = tokens.scope ?? pending.scope;
      await holder.change(({ pending: newer, unfinished }) => ({
        authority,
        client,
        tokens: { ...tokens, ...(scope !== undefined && { scope }) },
        ...(newer && { pending: newer, ...(unfinished && { unfinished }) }),
      }));
    } catch (error) {
      const refusal = refusalOf(error, known);
      if (refusal.kind === "client" && client.registered) await holder.change((now) => without(now, "client"));
      const suggestion = suggestionFor(refusal, server, client);
      noteFailure(holder, name, refusal.text, suggestion);
      const fault = flowFault(
        "code_flow_failed",
        name,
        `signing in to server "${server}" failed: ${refusal.text}`,
        suggestion,
      );
      throw Object.assign(fault, { facts: { ...fault.facts, by } });
    } finally {
      holder.finishing(undefined);
    }
    holder.failed(undefined);
    log.info(`signed in to server "${server}" at ${authority.issuer}`, { server, correlation_id: correlationId });
    events.publish("oauth.login_completed", { server_name: server, correlation_id: correlationId });
    return { server, owner: place.owner, correlationId, by } satisfies Finished;
  };

  const forget = async (place: Place, signal: AbortSignal) => {
    const holder = holderOf(place.server, place.owner);
    const before = await holder.read().catch((): Credentials => {
      holder.discard();
      return {};
    });
    holder.forgotten();
    if (!before) return { was: false, revoked: false };
    const { authority, client, tokens, pending } = before;
    await holder.change((now) => ({
      ...(authority && { authority, signed_out: true as const }),
      ...(now.client?.registered && { client: now.client }),
    }));
    if (pending) await settle(pending.state);
    const entry = config.server(place.server);
    const settings = entry && (await settingsOf(entry, secrets, nameOf(place.server, "")).catch(() => undefined));
    const revoked =
      authority && client && settings
        ? await endTokens(grantOf(authority, client, settings, signal), tokens, clock, log)
        : false;
    return { was: tokens !== undefined || pending !== undefined, revoked };
  };

  const drop = async (server: string) => {
    for (const [key, holder] of holders) {
      if (holder.place.server !== server) continue;
      holders.delete(key);
      holder.forgotten();
      holder.stop();
      await records.put(holder.place, undefined);
    }
    await records.put({ owner: "", server }, undefined);
  };
  // A server of the same name that is added later is another one.
  const stopFollowing = config.onChange((next, previous) => {
    const names = new Set(next.mcpServers.map(({ name }) => name));
    for (const { name } of previous.mcpServers)
      if (!names.has(name)) log.catch(`forgetting the sign-in at "${name}"`, drop(name));
  });

  return {
    bearer: (server, url, owner) => holderOf(server, owner).bearer(resourceOf(url)),
    status: (server, owner) => holderOf(server, owner).status(),
    async load(server, owner) {
      const holder = holderOf(server, owner);
      await holder.read().catch((error: unknown) => {
        const suggestion = `unlock the keyring, or sign in again with: proxy upstream login ${server}`;
        const failure = { errorType: "code_flow_failed", reason: reasonOf(error), suggestion, correlationId: "" };
        holder.failed({ ...failure, at: clock.now() });
      });
      return holder.status();
    },
    start,
    finish,
    async forget(server, signal, owner = "") {
      return await forget({ owner, server }, signal);
    },
    openBrowser: (url) => browser.open(url),
    close() {
      stopFollowing();
      closing.abort(new Error("the proxy stops"));
      for (const holder of holders.values()) holder.stop();
      for (const done of [...flows.values()]) done();
    },
  };
}

function without<K extends keyof Credentials>(record: Credentials, key: K): Credentials {
  const { [key]: _, ...rest } = record;
  return rest;
}

function sameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
