import type { App } from "../../app.ts";
import { rfc3339 } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import { quarantined as quarantinedBy } from "../../config/quarantined.ts";
import type { ServerConfig } from "../../config/schema.ts";
import type { NewServer } from "../../config/server-patch.ts";
import { record } from "../../gateway/record.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ServerRecord } from "../../schema/server-record.ts";
import { refuseEchoes } from "../../secrets/mask/echo.ts";
import { isOverMcp } from "./held.ts";
import { mayManage, mayTrust } from "./may.ts";
import { merge } from "./merge.ts";
import { noticeClosed } from "./notice.ts";
import { record as recordOf } from "./record.ts";

/** Which registry entry a server was made of. */
export type ServerSource = Pick<
  ServerConfig,
  "source_registry_id" | "source_registry_provenance" | "source_registry_server" | "source_registry_version"
>;

/**
 * Adds a server, quarantined unless an authenticated administrator or the configuration says otherwise (spec 000 §3;
 * 001 §4.1). What comes over MCP is always quarantined and held, whoever asks.
 *
 * @throws Fault already_exists, echoed_mask, invalid_request, mcp_only_admin, management_disabled, admin_required
 */
export async function add(
  app: App,
  { name, ...given }: NewServer,
  by: Actor,
  source: ServerSource = {},
): Promise<ServerRecord> {
  mayManage(app, by, "add");
  if (given.trust_mode || given.auto_approve_tool_changes || given.validate_arguments)
    mayTrust(by, "trusting a new server");
  refuseEchoes({ name, ...given });
  const server = merge({ name, enabled: true } as ServerConfig, given);
  const held = isOverMcp(by);
  const anonymous = by.caller.tier !== "admin";
  const quarantined = held || anonymous || (given.quarantined ?? quarantinedBy(server, app.config.current()));
  const isStated = !quarantined && given.quarantined === false && source.source_registry_id === undefined;
  if (!isStated && !app.config.server(name)) await noticeClosed(app, [server]);
  await app.config.update((draft) => {
    if (draft.mcpServers.some((other) => other.name === name))
      throw new Fault("already_exists", { what: "server", name });
    draft.mcpServers.push({
      ...server,
      ...source,
      quarantined,
      ...(held && { held }),
      created: rfc3339(app.clock.now()),
    });
  }, by.caller.name);
  record(app, by, {
    type: "server_change",
    server_name: name,
    status: "success",
    metadata: {
      action: "add",
      quarantined,
      ...(held && { held }),
      ...(source.source_registry_id !== undefined && { registry: source.source_registry_id }),
    },
  });
  return recordOf(app, name, by.caller);
}
