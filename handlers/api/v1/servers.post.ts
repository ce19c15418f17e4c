import { endpoint } from "#lib/core/api/endpoint.ts";
import { NewServer } from "#lib/core/config/server-patch.ts";
import { ServerAction } from "#lib/core/schema/server-record.ts";
import { addServer } from "#lib/core/verbs/servers/add.ts";
import { missingFolder } from "#lib/core/verbs/servers/missing-folder.ts";
import { serverActionAnswer } from "#lib/core/verbs/servers/server-action.ts";

/** Adds a server, quarantined by default; masked values are rejected (spec 000 §3, §4.2). */
export default endpoint("POST /api/v1/servers", {
  summary: "Add an upstream server",
  access: "admin",
  validates: true,
  creates: true,
  body: NewServer,
  data: ServerAction,
  faults: ["already_exists", "echoed_mask", "management_disabled"],
  async run({ app, body, by }) {
    const server = await addServer(app, body, by);
    return serverActionAnswer("add", server, await missingFolder(server));
  },
});
