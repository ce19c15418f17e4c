import type { App } from "../../app.ts";
import { rfc3339 } from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type { ServerConfig } from "../../config/config-keys.ts";
import { isQuarantined as quarantinedBy } from "../../config/quarantined.ts";
import type { NewServer } from "../../config/server-patch.ts";
import { recordActivity } from "../../gateway/record-activity.ts";
import type { Actor } from "../../schema/caller.ts";
import type { ServerRecord } from "../../schema/server-record.ts";
import { rejectMasked } from "../../secrets/mask/restore-masked.ts";
import { isOverMcp } from "./held.ts";
import { mayManage, mayTrust } from "./may-manage.ts";
import { mergeServer } from "./merge.ts";
import { serverRecord as recordOf } from "./record.ts";
import { distrustServers } from "./track.ts";

/** The members that name the registry entry from which a server was created. */
type ServerSource = Pick<
  ServerConfig,
  "source_registry_id" | "source_registry_provenance" | "source_registry_server" | "source_registry_version"
>;

/**
 * Adds a server, quarantined unless an authenticated administrator or the configuration says otherwise (spec 000 §3;
 * 001 §4.1). A server added over MCP is always quarantined and held, whoever the caller is.
 *
 * @throws Fault already_exists, echoed_mask, invalid_request, mcp_only_admin, management_disabled, admin_required
 */
export async function addServer(
  app: App,
  { name, ...given }: NewServer,
  by: Actor,
  source: ServerSource = {},
): Promise<ServerRecord> {
  mayManage(app, by, "add");
  if (given.trust_mode || given.auto_approve_tool_changes || given.validate_arguments)
    mayTrust(by, "trusting a new server");
  rejectMasked({ name, ...given });
  const server = mergeServer({ name, enabled: true } as ServerConfig, given);
  const isModelRequest = isOverMcp(by);
  const anonymous = by.caller.tier !== "admin";
  const quarantined = isModelRequest || anonymous || (given.quarantined ?? quarantinedBy(server, app.config.current()));
  const isStated = !quarantined && given.quarantined === false && source.source_registry_id === undefined;
  if (!isStated && !app.config.server(name)) await distrustServers(app, [server]);
  await app.config.update((draft) => {
    if (draft.mcpServers.some((other) => other.name === name))
      throw new Fault("already_exists", { what: "server", name });
    draft.mcpServers.push({
      ...server,
      ...source,
      quarantined,
      ...(isModelRequest && { held: isModelRequest }),
      created: rfc3339(app.clock.now()),
    });
  }, by.caller.name);
  recordActivity(app, by, {
    type: "server_change",
    server_name: name,
    status: "success",
    metadata: {
      action: "add",
      quarantined,
      ...(isModelRequest && { held: isModelRequest }),
      ...(source.source_registry_id !== undefined && { registry: source.source_registry_id }),
    },
  });
  return recordOf(app, name, by.caller);
}
