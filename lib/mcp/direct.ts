import type { App } from "../app.ts";
import { loopShare } from "../base/loop-share.ts";
import { directName, directNames } from "../catalog/direct-names.ts";
import { pinnedMembers } from "../catalog/pin.ts";
import { compact } from "../catalog/signature.ts";
import type { Config } from "../config/schema.ts";
import type { Caller, Scope } from "../shape/caller.ts";
import type { ToolDefinition, ToolRow } from "../shape/tool.ts";
import { visibleTo } from "../tools/snapshot.ts";
import { render, type ToolList } from "./list.ts";

/** Direct mode: every upstream's tools under names of their own (spec 001 §2.1). */
export interface Direct {
  /** Writes the texts of tools that have none yet, others having turns between; undefined when all have. */
  prepare(): Promise<void> | undefined;
  /** The tools this caller may use, after the given ones. */
  list(caller: Caller, before: readonly string[]): ToolList;
}

/** Rendered lists kept at once; callers of one scope share one. */
const LISTS_MAX = 50;

export function createDirect(app: App): Direct {
  // Rows are replaced, never changed, so a row's text stands as long as the row.
  const texts = new WeakMap<ToolRow, Text>();
  const lists = new Map<string, { revision: number; config: Config; list: ToolList }>();

  /** The catalog and the configuration for which every text is there. */
  let prepared: { revision: number; config: Config } | undefined;

  async function write(): Promise<void> {
    const config = app.config.current();
    const { revision } = app.catalog;
    const short = config.direct_tool_response_mode === "deferred";
    const pause = loopShare();
    for (const row of app.catalog.all()) {
      if (row.present) textOf(texts, row, directName(row), short);
      await pause();
    }
    prepared = { revision, config };
  }

  return {
    prepare() {
      const isDone = prepared?.revision === app.catalog.revision && prepared.config === app.config.current();
      return isDone ? undefined : write();
    },

    list(caller, before) {
      const config = app.config.current();
      const { revision } = app.catalog;
      const key = `${scopeKey(caller)}\n${before.length}`;
      const kept = lists.get(key);
      if (kept?.revision === revision && kept.config === config) return kept.list;
      const sees = visibleTo(app, caller);
      const short = config.direct_tool_response_mode === "deferred";
      const tools = [...before];
      const names = directNames(app.catalog);
      for (const row of app.catalog.all()) {
        const name = names.nameOf(row.id);
        if (name === undefined || !row.present || !sees(row)) continue;
        tools.push(textOf(texts, row, name, short));
      }
      const list = render(tools);
      lists.delete(key);
      lists.set(key, { revision, config, list });
      if (lists.size > LISTS_MAX) lists.delete(lists.keys().next().value!);
      return list;
    },
  };
}

interface Text {
  name: string;
  short: boolean;
  text: string;
}

function textOf(texts: WeakMap<ToolRow, Text>, row: ToolRow, name: string, short: boolean): string {
  const kept = texts.get(row);
  if (kept?.name === name && kept.short === short) return kept.text;
  const text = JSON.stringify(short ? deferred(row, name) : whole(row, name));
  texts.set(row, { name, short, text });
  return text;
}

/** Everything that the approval covers; the name is our own, and the description says where the tool comes from. */
function whole(row: ToolRow, name: string): ToolDefinition {
  return { ...pinnedMembers(row), name, description: described(row) };
}

/** The short form: a signature instead of the schema, which describe_tool gives (`direct_tool_response_mode`). */
function deferred(row: ToolRow, name: string): object {
  const { title, annotations } = row;
  const description = `${described(row)}\n${name}${compact(row).sig}`;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: { type: "object" },
    ...(annotations !== undefined && { annotations }),
  };
}

function described(row: ToolRow): string {
  return row.description === "" ? `[${row.server}]` : `[${row.server}] ${row.description}`;
}

function scopeKey({ tier, scope }: Caller): string {
  const list = (set: Scope["servers"] | Scope["permissions"]) =>
    set === "all" ? "*" : JSON.stringify([...set].sort());
  return `${tier} ${list(scope.servers)} ${list(scope.permissions)}`;
}
