import * as v from "valibot";
import type { App } from "../app.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ItemCatalog } from "../catalog/item-catalog.ts";
import { type PlannedChange, planChanges } from "../store/plan-changes.ts";
import type { Store } from "../store/store.ts";

const about = v.description;

/** The response to a request with `?validate_only=true`. */
export const DryRun = v.object({
  validate_only: v.literal(true),
  changes: v.pipe(
    v.array(
      v.object({
        path: v.pipe(v.string(), about("path in the configuration, or name of other stored state")),
        change: v.picklist(["added", "removed", "changed"]),
      }),
    ),
    about("what the first write of the request would change: names only, never values. Later writes are not listed."),
  ),
  message: v.string(),
});
export type DryRun = v.InferOutput<typeof DryRun>;

/** Thrown at the first write of a dry run, to end it. Everything before the write has been checked. */
class WouldChange extends Error {
  override readonly name = "WouldChange";
  readonly changes: DryRun["changes"];
  constructor(changes: DryRun["changes"]) {
    super("a dry run came to its first change");
    this.changes = changes;
  }
}

/**
 * Runs a verb up to its first write: all checks run, and nothing is stored, started or published.
 *
 * @throws the errors of the verb, with which the request would be rejected
 */
export async function dryRun(app: App, run: (app: App) => unknown): Promise<DryRun> {
  const changes = await changesOf(() => run(withoutWrites(app)));
  const what = changes.map(({ path, change }) => `${path} ${change}`).join(", ") || "nothing";
  return { validate_only: true, changes, message: `valid; nothing was changed; the first write would be: ${what}` };
}

async function changesOf(run: () => unknown): Promise<DryRun["changes"]> {
  try {
    await run();
    return [];
  } catch (error) {
    // Some verbs wrap errors of the store.
    const found = [error, (error as Error).cause].find((one) => one instanceof WouldChange);
    if (!found) throw error;
    return found.changes;
  }
}

const nothing = async () => undefined;

const changed = async (key: string) => stop(key, "changed");

function stop(path: string, change: "added" | "removed" | "changed"): never {
  throw new WouldChange([{ path, change }]);
}

/** Returns a copy of the App in which a write ends the run. Writes that only record something do nothing. */
function withoutWrites(app: App): App {
  const { config, store, secrets, events } = app;
  return {
    ...app,
    config: {
      ...config,
      async update(change) {
        throw new WouldChange(await config.preview(change));
      },
      setBrokenAside: nothing,
    },
    store: storeWithoutWrites(store),
    secrets: {
      ...secrets,
      set: async (name) => stop(`secret ${name}`, (await secrets.list()).includes(name) ? "changed" : "added"),
      delete: async (name) => ((await secrets.list()).includes(name) ? stop(`secret ${name}`, "removed") : false),
    },
    catalog: catalogWithoutWrites(app.catalog),
    events: { ...events, publish: () => undefined },
  };
}

/** The members are inherited, because some of them are getters. */
function catalogWithoutWrites(catalog: Catalog): Catalog {
  const items: ItemCatalog = Object.create(catalog.items, { decideAgain: { value: nothing } });
  return Object.create(catalog, { items: { value: items } });
}

function storeWithoutWrites(store: Store): Store {
  return {
    ...store,
    knownServers: { ...store.knownServers, changeAll: async () => [] },
    activity: { ...store.activity, add: nothing },
    approvals: {
      ...store.approvals,
      changeAll: async (server, tools, edit) =>
        stopAtChanges(
          planChanges(tools, (tool) => store.approvals.get(server, tool), edit),
          (tool) => `tool ${server}:${tool}`,
        ),
      removeServer: async (server) => stop(`approvals of ${server}`, "removed"),
    },
    itemApprovals: {
      ...store.itemApprovals,
      changeAll: async (server, items, edit) =>
        stopAtChanges(
          planChanges(items, ({ kind, name }) => store.itemApprovals.get(server, kind, name), edit),
          ({ kind, name }) => `${kind} ${server}:${name}`,
        ),
    },
    tokens: {
      ...store.tokens,
      async change(name, edit) {
        stopAtChanges(planChanges([name], store.tokens.get, edit), () => `agent token ${name}`);
        return { before: store.tokens.get(name), after: store.tokens.get(name) };
      },
    },
    meta: { ...store.meta, set: changed, change: changed },
    documents: { ...store.documents, set: changed, change: changed },
  };
}

/** Ends the run if there are changes. @returns none */
function stopAtChanges<Key, Row>(changes: readonly PlannedChange<Row, Key>[], pathOf: (key: Key) => string): [] {
  if (changes.length === 0) return [];
  throw new WouldChange(
    changes.map(({ key, before, after }) => ({
      path: pathOf(key),
      change: !before ? "added" : after ? "changed" : "removed",
    })),
  );
}
