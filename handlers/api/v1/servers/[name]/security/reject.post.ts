import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { rejectServer } from "#lib/modules/scan/approve-server.ts";

/** Quarantines a server and blocks its tools that wait for approval. */
export default endpoint("POST /api/v1/servers/{name}/security/reject", {
  summary: "Reject a server after its scan",
  access: "admin",
  data: v.object({ status: v.literal("rejected"), server_name: v.string() }),
  faults: ["server_not_found", "management_disabled"],
  async run({ app, params, by }) {
    await rejectServer(app, params.name, by);
    return { status: "rejected" as const, server_name: params.name };
  },
});
