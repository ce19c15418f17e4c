import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { App } from "../app.ts";
import { loopShare } from "../base/loop-share.ts";
import { directName } from "../catalog/direct-names.ts";
import { mapAppUris } from "../catalog/map-app-uris.ts";
import { pinnedMembers } from "../catalog/pin.ts";
import { toolSignature } from "../catalog/signature.ts";
import { uriMap } from "../catalog/uri-map.ts";
import type { Config } from "../config/config-keys.ts";
import { visibleTo } from "../gateway/tool-snapshot.ts";
import { scopeKey } from "../policy/scope-key.ts";
import type { ToolDefinition, ToolRow } from "../schema/tool.ts";
import { exposedTools } from "./exposed-tools.ts";
import type { ListAudience } from "./list-audience.ts";

/** Direct mode: clients see the tools of all upstreams under direct-mode names (spec 001 §2.1). */
interface DirectMode {
  /**
   * Returns the tools that this caller may use. It is a promise if the list must be made anew, because the catalog or
   * the configuration changed.
   */
  toolsFor(audience: ListAudience): DirectTools | Promise<DirectTools>;
  /** Returns the JSON text of a listed tool. */
  text(row: ToolRow, audience: Pick<ListAudience, "isOlder">): string;
}

/** The tools for callers with the same scope, in the order of the configuration and of each server's list. */
export interface DirectTools {
  readonly rows: readonly ToolRow[];
  /** Changes if and only if the listed text of a tool changes. */
  readonly tag: string;
}

/** Maximum number of scopes whose tools are cached; callers with the same scope share them. */
const MAX_SCOPES = 50;

interface Gathered {
  readonly revision: number;
  readonly config: Config;
  readonly shown: DirectTools | Promise<DirectTools>;
}

export function createDirectMode(app: App): DirectMode {
  // Rows are replaced, never changed in place, so the text of a row stays valid.
  const texts = new WeakMap<ToolRow, { short: boolean; text: string }>();
  const scopes = new LRUCache<string, Gathered>({ max: MAX_SCOPES });
  const isShort = (config: Config) => config.direct_tool_response_mode === "deferred";

  /** Selects the tools. The tag is made from their pins, which cover all listed text, so the texts need not be read. */
  async function gather(config: Config, { mode, caller, isAppHost }: ListAudience): Promise<DirectTools> {
    const sees = visibleTo(app, caller, undefined, isAppHost);
    const exposed = exposedTools(app, mode);
    const rows: ToolRow[] = [];
    const hash = createHash("sha256").update(String(isShort(config)));
    const pause = loopShare();
    for (const { name } of config.mcpServers)
      for (const row of app.catalog.of(name)) {
        if (row.present && exposed.has(row) && sees(row)) {
          rows.push(row);
          hash.update(`\n${row.id} ${row.hash} ${row.execution?.taskSupport ?? ""}`);
        }
        const others = pause();
        if (others) await others;
      }
    return { rows, tag: hash.digest("base64url") };
  }

  return {
    toolsFor(audience) {
      const config = app.config.current();
      const { revision } = app.catalog;
      const key = `${audience.mode} ${audience.isAppHost === true} ${scopeKey(audience.caller)}`;
      const known = scopes.get(key);
      if (known?.revision === revision && known.config === config) return known.shown;
      const gathering = gather(config, audience);
      const keep = (shown: Gathered["shown"]) => scopes.set(key, { revision, config, shown });
      keep(gathering);
      return gathering.then(
        (shown) => {
          if (scopes.get(key)?.shown === gathering) keep(shown);
          return shown;
        },
        (error: unknown) => {
          if (scopes.get(key)?.shown === gathering) scopes.delete(key);
          throw error;
        },
      );
    },

    text(row, { isOlder }) {
      const short = isShort(app.config.current());
      if (isOlder && !short && !hasObjectOutput(row)) {
        const { outputSchema: _, ...tool } = whole(row);
        return JSON.stringify(tool);
      }
      const known = texts.get(row);
      if (known?.short === short) return known.text;
      const text = JSON.stringify(short ? deferred(row) : whole(row));
      texts.set(row, { short, text });
      return text;
    },
  };
}

/** Returns the members that the approval covers, with the direct-mode name; the description names the server. */
function whole(row: ToolRow): ToolDefinition {
  const { _meta } = row;
  return {
    ...pinnedMembers(row),
    name: directName(row),
    description: described(row),
    ...taskSupport(row),
    ...(_meta && { _meta: mapAppUris(_meta, uriMap(row.server).map) }),
  };
}

/** Clients of versions up to 2025-11-25 reject the whole list if an output schema is not of `type: "object"`. */
const hasObjectOutput = ({ outputSchema }: ToolRow) => outputSchema === undefined || outputSchema.type === "object";

/** Clients may always call without a task: if the server requires one, the proxy makes it (`wait-for-task.ts`). */
const taskSupport = ({ execution }: ToolRow) =>
  execution && { execution: execution.taskSupport === "required" ? ({ taskSupport: "optional" } as const) : execution };

/**
 * Returns the short form: a signature instead of the schema, which describe_tool returns (`direct_tool_response_mode`).
 */
function deferred(row: ToolRow): object {
  const { title, annotations } = row;
  const name = directName(row);
  const description = `${described(row)}\n${name}${toolSignature(row).sig}`;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: { type: "object" },
    ...(annotations !== undefined && { annotations }),
    ...taskSupport(row),
  };
}

function described(row: ToolRow): string {
  return row.description === "" ? `[${row.server}]` : `[${row.server}] ${row.description}`;
}
