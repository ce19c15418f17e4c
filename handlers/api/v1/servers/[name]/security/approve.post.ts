import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { approveServer } from "#lib/scanner/decide.ts";

/** Releases a server from quarantine after its scan, and approves its pending tools with it. */
export default endpoint("POST /api/v1/servers/{name}/security/approve", {
  summary: "Approve a server after its scan",
  access: "admin",
  body: v.object({
    force: v.optional(
      v.pipe(v.boolean(), v.description("also without a scan that is current and not dangerous")),
      false,
    ),
  }),
  data: v.object({ status: v.literal("approved"), server_name: v.string() }),
  faults: ["server_not_found", "scan_blocks", "management_disabled"],
  async run({ app, params, body, by }) {
    await approveServer(app, params.name, body.force, by);
    return { status: "approved" as const, server_name: params.name };
  },
});
