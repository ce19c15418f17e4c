import type { App } from "../../core/app.ts";
import { recordActivity } from "../../core/gateway/record-activity.ts";
import type { Actor } from "../../core/schema/caller.ts";
import type { RegistryRecord } from "../../core/schema/registry.ts";
import { rejectMasked } from "../../core/secrets/mask/restore-masked.ts";
import { mayConfigure } from "../../core/verbs/settings/change.ts";
import { BUILTINS } from "./builtin.ts";
import { forget } from "./cache.ts";
import { Fault } from "./faults.ts";
import { registryRecord } from "./list.ts";
import { probe } from "./probe.ts";
import { OFFICIAL } from "./protocols/protocols.ts";
import type { Source } from "./source.ts";
import { checkedUrl, definedMembers, isBuiltin, sourceOf, sources } from "./sources.ts";

const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The fields of a new source. */
interface NewSource {
  /** URL of its page or list: https, or a local file. */
  url: string;
  protocol?: string | undefined;
  id?: string | undefined;
  name?: string | undefined;
}

/**
 * Adds a source after checking that its list can be read (spec 000 §4.4). An added source is always custom.
 *
 * @throws Fault registries_locked, management_disabled, invalid_registry_url, unsupported_registry_protocol,
 *   registry_shadows_builtin, duplicate_registry, registry_source_unusable, invalid_request
 */
export async function addRegistry(
  app: App,
  source: NewSource,
  by: Actor,
  signal: AbortSignal,
): Promise<RegistryRecord> {
  mayChange(app);
  rejectMasked({ ...source });
  const protocol = source.protocol || OFFICIAL;
  if (protocol !== OFFICIAL) throw new Fault("unsupported_registry_protocol", { protocol });
  const url = checkedUrl(app, source.url);
  const id = source.id || idOf(url);
  if (!ID.test(id))
    throw new Fault("invalid_request", {
      reason: "id: must have 1 to 64 lower-case letters, digits, dots, dashes or underscores",
    });
  free(app, id, url.href);
  const serversUrl = await probe(app, id, url, signal);
  free(app, id, serversUrl);
  await app.config.update((draft) => {
    if (draft.registries.some((one) => one.id === id)) throw new Fault("duplicate_registry", { id });
    const name = source.name || url.host || id;
    draft.registries.push({ id, name, url: url.href, servers_url: serversUrl, protocol });
  }, by.caller.name);
  recordRegistryChange(app, "registry_add", id, by);
  return await registryRecord(app, sourceOf(app, id));
}

/**
 * Changes a custom source; empty and absent fields keep their values (spec 000 §4.4).
 *
 * @throws Fault registries_locked, management_disabled, registry_shadows_builtin, registry_not_found,
 *   invalid_registry_url
 */
export async function edit(
  app: App,
  id: string,
  change: { name?: string | undefined; url?: string | undefined; servers_url?: string | undefined },
  by: Actor,
): Promise<RegistryRecord> {
  changeableSource(app, id);
  rejectMasked({ ...change });
  const changes = definedMembers({
    name: change.name || undefined,
    url: change.url ? checkedUrl(app, change.url).href : undefined,
    servers_url: change.servers_url ? checkedUrl(app, change.servers_url).href : undefined,
  });
  await app.config.update((draft) => {
    const at = draft.registries.findIndex((one) => one.id === id);
    const before = draft.registries[at];
    if (!before) throw new Fault("registry_not_found", { id });
    draft.registries[at] = { ...before, ...changes, ...moved(before, changes) };
  }, by.caller.name);
  recordRegistryChange(app, "registry_edit", id, by);
  return await registryRecord(app, sourceOf(app, id));
}

/** A list URL below the page URL moves with it. */
function moved(
  before: { url?: string | undefined; servers_url?: string | undefined },
  changes: { url?: string; servers_url?: string },
): { servers_url?: string } {
  if (changes.url === undefined || changes.servers_url !== undefined) return {};
  const [from, list] = [before.url?.replace(/\/+$/, ""), before.servers_url];
  if (!from || (list !== from && !list?.startsWith(`${from}/`))) return {};
  return { servers_url: changes.url.replace(/\/+$/, "") + list.slice(from.length) };
}

/**
 * Removes a custom source; servers installed from it remain.
 *
 * @returns the removed source
 * @throws Fault registries_locked, management_disabled, registry_shadows_builtin, registry_not_found
 */
export async function remove(app: App, id: string, by: Actor): Promise<RegistryRecord> {
  const source = changeableSource(app, id);
  const removed = await registryRecord(app, source);
  await app.config.update((draft) => {
    draft.registries = draft.registries.filter((one) => one.id !== id);
  }, by.caller.name);
  await forget(app, source);
  recordRegistryChange(app, "registry_remove", id, by);
  return removed;
}

function mayChange(app: App): void {
  if (app.config.current().registries_locked) throw new Fault("registries_locked");
  mayConfigure(app);
}

/** Returns a custom source. @throws Fault registries_locked, registry_shadows_builtin, registry_not_found */
function changeableSource(app: App, id: string): Source {
  mayChange(app);
  if (isBuiltin(id)) throw new Fault("registry_shadows_builtin", { id });
  return sourceOf(app, id);
}

/** @throws Fault registry_shadows_builtin, duplicate_registry */
function free(app: App, id: string, url: string): void {
  const builtIn = BUILTINS.find((one) => one.id === id || same(one.serversUrl, url) || same(one.url, url));
  if (builtIn) throw new Fault("registry_shadows_builtin", { id: builtIn.id });
  const taken = sources(app).find((one) => one.id === id || same(one.serversUrl, url));
  if (taken) throw new Fault("duplicate_registry", { id: taken.id });
}

const same = (a: string, b: string) => a.replace(/\/+$/, "") === b.replace(/\/+$/, "");

/** Derives an ID: `registry.example.com` becomes `registry-example-com`, and a file gets its name. */
function idOf(url: URL): string {
  const text = url.protocol === "file:" ? decodeURIComponent(url.pathname.split("/").pop() ?? "") : url.host;
  return text
    .toLowerCase()
    .replace(/\.json$/, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 64);
}

function recordRegistryChange(app: App, action: string, id: string, by: Actor): void {
  recordActivity(app, by, { type: "config_change", status: "success", metadata: { action, registry: id } });
}
