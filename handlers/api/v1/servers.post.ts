import { endpoint } from "#lib/core/api/endpoint.ts";
import { NewServer } from "#lib/core/config/server-patch.ts";
import { ServerAction } from "#lib/core/schema/server-record.ts";
import { add } from "#lib/core/verbs/servers/add.ts";
import { done } from "#lib/core/verbs/servers/done.ts";
import { missingFolder } from "#lib/core/verbs/servers/missing-folder.ts";

/** Adds a server, quarantined unless told otherwise; echoed masks are refused (spec 000 §3, §4.2). */
export default endpoint("POST /api/v1/servers", {
  summary: "Add an upstream server",
  access: "admin",
  validates: true,
  creates: true,
  body: NewServer,
  data: ServerAction,
  faults: ["already_exists", "echoed_mask", "management_disabled"],
  async run({ app, body, by }) {
    const server = await add(app, body, by);
    return done("add", server, await missingFolder(server));
  },
});
