import { Fault } from "../../base/fault.ts";
import { userConnections } from "../../extension/user-connections.ts";
import { splitId } from "../../policy/id.ts";
import { recordBlocked } from "../record-blocked.ts";
import { snapshot } from "../snapshot.ts";
import { suggestIds } from "../suggest-ids.ts";
import type { Call } from "./stage.ts";

const FORMAT = "an id has the form server:tool";

/** Finds what the id stands for, from local state alone. @throws Fault tool_not_found for what is no id */
export function resolve(call: Call): void {
  const { app, by, request } = call;
  const parts = splitId(request.id);
  if (!parts) {
    recordBlocked(app, by, { server: "", tool: request.id, request, reason: "not_found", detail: FORMAT });
    throw new Fault("tool_not_found", { id: request.id, near: suggestIds(app, by.caller, request.id) });
  }
  call.server = parts.server;
  call.tool = parts.tool;
  call.snapshot = snapshot(app, request.id);
  call.isOwnConnection = app.part(userConnections).connectsAlone(by.caller, parts.server);
  call.upstream = app.upstreams.get(parts.server);
}
