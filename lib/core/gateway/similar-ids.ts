import type { App } from "../app.ts";
import { type NameIndex, nameIndex } from "../policy/name-index.ts";
import { inScope } from "../policy/scope.ts";
import { createSuggester } from "../policy/suggester.ts";
import type { Caller } from "../schema/caller.ts";
import type { ToolRow } from "../schema/tool.ts";
import { visibleTo } from "./tool-snapshot.ts";

/**
 * Returns a function that finds suggestions for an unknown id among the tools that this caller may see (spec 000 §2.6).
 * Create one for each request: its calls share one work limit.
 */
export function similarIds(app: App, caller: Caller): (id: string) => string[] {
  let ask: ((id: string) => string[]) | undefined;
  return (id) => {
    ask ??= begin(app, caller);
    return ask(id);
  };
}

function begin(app: App, caller: Caller): (id: string) => string[] {
  const sees = visibleTo(app, caller);
  const servers = app.config.current().mcpServers.map(({ name }) => name);
  return createSuggester({
    // Only visible ids are compared, so that hidden ones cannot use up the work limit.
    servers: servers.filter((name) => inScope(caller.scope, name)),
    index: (server) => indexOf(app.catalog.of(server)),
    visible(id) {
      const row = app.catalog.get(id);
      return row !== undefined && sees(row);
    },
  });
}

/** Indexes by the list of rows of a server. The list is replaced when a tool of the server changes. */
const indexes = new WeakMap<readonly ToolRow[], NameIndex>();

function indexOf(rows: readonly ToolRow[]): NameIndex {
  let index = indexes.get(rows);
  if (!index) {
    index = nameIndex(idsOf(rows));
    indexes.set(rows, index);
  }
  return index;
}

function* idsOf(rows: readonly ToolRow[]): Generator<string> {
  for (const { id } of rows) yield id;
}
