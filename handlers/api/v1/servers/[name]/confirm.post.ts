import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ServerAction } from "#lib/core/schema/server-record.ts";
import { confirmServer } from "#lib/core/verbs/servers/confirm.ts";
import { findServer } from "#lib/core/verbs/servers/find.ts";
import { serverActionAnswer } from "#lib/core/verbs/servers/server-action.ts";

/** Confirms a held server: it is connected for review and remains in quarantine. */
export default endpoint("POST /api/v1/servers/{name}/confirm", {
  summary: "Confirm a held server",
  access: "admin",
  validates: true,
  body: v.optional(
    v.strictObject({
      revision: v.optional(
        v.pipe(
          v.string(),
          v.description("revision of the definition that was reviewed; the response is 409 if it has changed"),
        ),
      ),
    }),
    {},
  ),
  data: ServerAction,
  faults: ["server_not_found", "definition_changed", "management_disabled"],
  async run({ app, params, body, by }) {
    const wasHeld = findServer(app, params.name, by.caller).held === true;
    const record = await confirmServer(app, params.name, by, body.revision);
    return serverActionAnswer("confirm", record, undefined, wasHeld ? undefined : "was not held; nothing changed");
  },
});
