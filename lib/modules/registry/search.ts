import type { App } from "../../core/app.ts";
import { type Fault, reasonOf } from "../../core/base/fault.ts";
import { inScope } from "../../core/policy/scope.ts";
import type { Caller } from "../../core/schema/caller.ts";
import { type ChoosePage, wholeList } from "../../core/schema/list-page.ts";
import type { InputRecord, ListedServer, RegistrySearch } from "../../core/schema/registry.ts";
import { containerEngine } from "../isolation/state.ts";
import { askRegistry } from "./ask-registry.ts";
import { type InstallPlan, installPlan, recipeText } from "./derive/install-plan.ts";
import type { InstallHost } from "./derive/recipe.ts";
import { laterText, withLaterDigest } from "./digest.ts";
import type { Entry, Input } from "./entry.ts";
import { screenAll } from "./screen.ts";
import type { Source } from "./source.ts";
import { isLocal, sourceOf } from "./sources.ts";

/** The search and its page. */
interface Query {
  search?: string | undefined;
  tag?: string | undefined;
  limit: number;
  /** Selects another page than the best matches. */
  choose?: ChoosePage;
}

/**
 * Searches one registry, best matches first (spec 000 §4.4; reference 10.2). Every word of the search must occur in
 * name, title or description. If the registry cannot be reached, its cached entries are searched, and the result says
 * so.
 *
 * @throws Fault registry_not_found, invalid_registry_url
 */
export async function search(
  app: App,
  id: string,
  query: Query,
  caller: Caller,
  signal: AbortSignal,
): Promise<RegistrySearch> {
  const source = sourceOf(app, id);
  const searchText = (query.search ?? "").trim();
  const tag = (query.tag ?? "").trim().toLowerCase();
  const { known, asked, failure } = await askRegistry(app, source, searchText, signal);
  const fit = ranked([...known.entries.values()], searchText).filter(({ tags }) => tag === "" || tags.includes(tag));
  const host = await installHost(app);
  const all = { rows: fit, total: fit.length, id: (entry: Entry) => entry.id, value: () => undefined };
  const { rows, next_cursor } = await (query.choose ?? wholeList)(all);
  const age = asked ? app.clock.now() - asked.at : 0;
  return {
    registry_id: id,
    servers: await screenAll(
      rows.slice(0, query.limit).map((entry) => listedServer(app, source, entry, host, caller)),
      caller,
      signal,
    ),
    total: fit.length,
    ...(next_cursor !== undefined && { next_cursor }),
    query: searchText,
    tag,
    cache: { age_seconds: Math.max(0, Math.floor(age / 1000)), stale: failure !== undefined && asked !== undefined },
    ...(asked && asked.skipped > 0 && { skipped: asked.skipped }),
    ...(failure && { unavailable: { reason: reasonFor(caller, source, failure) } }),
  };
}

/** Only administrators may see the path of a file. */
function reasonFor({ tier }: Caller, source: Source, failure: Fault): string {
  return tier === "admin" || !isLocal(source) ? failure.message : `registry "${source.id}" cannot be read`;
}

/** The facts about this machine and configuration that an installation depends on. */
export async function installHost(app: App): Promise<InstallHost> {
  const { version = "" } = await app.part(containerEngine).state();
  return {
    engine: /podman/i.test(version) ? "podman" : "docker",
    allowsPrivateAddresses: app.config.current().allow_private_registry_fetch,
  };
}

/** The record of one entry; its texts are not screened yet. */
export function listedServer(app: App, source: Source, entry: Entry, host: InstallHost, caller: Caller): ListedServer {
  const { id, name, description, version, url, source: code, status, tags, createdAt, updatedAt } = entry;
  const plan = possible(withLaterDigest(source, entry), host);
  const added = app.config
    .current()
    .mcpServers.filter(
      (server) =>
        server.source_registry_id === source.id &&
        server.source_registry_server === id &&
        inScope(caller.scope, server.name),
    );
  return {
    id,
    name,
    description,
    ...(version !== undefined && { version }),
    registry: source.name,
    ...(typeof plan !== "string" && { kind: plan.sample.kind }),
    ...(url !== undefined && { url }),
    ...(code !== undefined && { source_code_url: code }),
    ...(typeof plan !== "string" &&
      ("command" in plan.sample
        ? { install_cmd: laterText(recipeText(plan.sample)) }
        : { connect_url: plan.sample.url })),
    ...inputs(typeof plan === "string" ? [] : plan.inputs),
    ...(typeof plan === "string" && { not_installable: plan }),
    ...(status !== undefined && { status }),
    tags: [...tags],
    ...(createdAt !== undefined && { created_at: createdAt }),
    ...(updatedAt !== undefined && { updated_at: updatedAt }),
    added: added.map((server) => server.name),
  };
}

function possible(entry: Entry, host: InstallHost): InstallPlan | string {
  try {
    return installPlan(entry, host);
  } catch (error) {
    return reasonOf(error);
  }
}

function inputs(all: InstallPlan["inputs"]): Pick<ListedServer, "required_inputs" | "optional_inputs"> {
  return {
    required_inputs: all.filter(({ needed }) => needed).map(({ input }) => inputRecord(input)),
    optional_inputs: all.filter(({ needed }) => !needed).map(({ input }) => inputRecord(input)),
  };
}

/** The record of one input. */
export function inputRecord({ name, description, secret, choices }: Input): InputRecord {
  return { name, description, secret, ...(choices && { choices: [...choices] }) };
}

/**
 * The entries that contain every word, ordered by place: the complete name, its last part, within the name, elsewhere.
 */
function ranked(entries: readonly Entry[], searchText: string): Entry[] {
  const text = searchText.toLowerCase();
  const words = text.split(/\s+/).filter(Boolean);
  const scored = entries.flatMap((entry) => {
    const id = entry.id.toLowerCase();
    const last = id.slice(id.lastIndexOf("/") + 1);
    const name = `${id} ${entry.name.toLowerCase()}`;
    const all = `${name} ${entry.description.toLowerCase()} ${entry.tags.join(" ")}`;
    if (!words.every((word) => all.includes(word))) return [];
    const places = [
      id === text,
      last === text,
      last.startsWith(text),
      words.every((word) => name.includes(word)),
      true,
    ];
    return [{ entry, place: places.indexOf(true) + (entry.status === undefined ? 0 : places.length) }];
  });
  return scored.sort((a, b) => a.place - b.place).map(({ entry }) => entry);
}
