import type { App } from "../app.ts";
import { inScope } from "../gate/scope.ts";
import type { Caller } from "../shape/caller.ts";
import type { ServerRecord } from "../shape/server-record.ts";
import { record } from "./record.ts";

/** The records a caller may see, in the order of the configuration (spec 000 §4.2). */
export function list(app: App, caller: Caller): ServerRecord[] {
  return app.config
    .current()
    .mcpServers.filter(({ name }) => inScope(caller.scope, name))
    .map(({ name }) => record(app, name, caller));
}
