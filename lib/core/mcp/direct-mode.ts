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

/** Direct mode: every upstream's tools under names of their own (spec 001 §2.1). */
interface DirectMode {
  /** The tools this caller may use; gathered in pieces where the catalog or the configuration changed since. */
  toolsFor(audience: ListAudience): DirectTools | Promise<DirectTools>;
  /** A tool as it is listed, as JSON text. */
  text(row: ToolRow, audience: Pick<ListAudience, "isOlder">): string;
}

/** The tools that callers of one scope are shown, in the order of the configuration and of each server's own list. */
export interface DirectTools {
  readonly rows: readonly ToolRow[];
  /** The same for the same texts of the same tools. */
  readonly tag: string;
}

/** Scopes whose tools are remembered; callers of one scope share them. */
const MAX_SCOPES = 50;

interface Gathered {
  readonly revision: number;
  readonly config: Config;
  readonly shown: DirectTools | Promise<DirectTools>;
}

export function createDirectMode(app: App): DirectMode {
  // Rows are replaced, never changed, so a row's text stands as long as the row.
  const texts = new WeakMap<ToolRow, { short: boolean; text: string }>();
  const scopes = new LRUCache<string, Gathered>({ max: MAX_SCOPES });
  const isShort = (config: Config) => config.direct_tool_response_mode === "deferred";

  /** Reads no texts: a tool's pin covers all of it that is listed. */
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

/** Everything that the approval covers; the name is our own, and the description says where the tool comes from. */
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

/** Clients of the 2025 family reject a whole list for an output schema whose root is not `type: "object"`. */
const hasObjectOutput = ({ outputSchema }: ToolRow) => outputSchema === undefined || outputSchema.type === "object";

/** A call without a task is always possible: where the server requires one, the proxy makes it (`wait-for-task.ts`). */
const taskSupport = ({ execution }: ToolRow) =>
  execution && { execution: execution.taskSupport === "required" ? ({ taskSupport: "optional" } as const) : execution };

/** The short form: a signature instead of the schema, which describe_tool gives (`direct_tool_response_mode`). */
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
