import { Fault } from "../../base/fault.ts";
import { userConnections } from "../../extension/user-connections.ts";
import { splitToolId } from "../../policy/tool-id.ts";
import { recordBlockedCall } from "../record-blocked-call.ts";
import { suggestIds } from "../suggest-ids.ts";
import { toolSnapshot } from "../tool-snapshot.ts";
import type { GatewayCall } from "./stage.ts";

const FORMAT = "an id has the form server:tool";

/** Collects the facts about the tool, from local state only. @throws Fault tool_not_found for a malformed id */
export function resolveCall(call: GatewayCall): void {
  const { app, by, request } = call;
  const parts = splitToolId(request.id);
  if (!parts) {
    recordBlockedCall(app, by, { server: "", tool: request.id, request, reason: "not_found", detail: FORMAT });
    throw new Fault("tool_not_found", { id: request.id, near: suggestIds(app, by.caller, request.id) });
  }
  call.server = parts.server;
  call.tool = parts.tool;
  call.snapshot = toolSnapshot(app, request.id);
  call.isOwnConnection = app.part(userConnections).connectsAlone(by.caller, parts.server);
  call.upstream = app.upstreams.get(parts.server);
}
