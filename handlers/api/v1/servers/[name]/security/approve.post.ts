import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { Release, releaseEntries, seenOf } from "#lib/core/schema/release.ts";
import { approveServer } from "#lib/modules/scan/approve-server.ts";

/** Releases a server from quarantine after its scan, and approves what the administrator has seen. */
export default endpoint("POST /api/v1/servers/{name}/security/approve", {
  summary: "Approve a server after its scan",
  access: "admin",
  body: v.optional(
    v.object({
      force: v.optional(
        v.pipe(
          v.boolean(),
          v.description("approve even if the latest scan is missing, outdated or dangerous; accepts no findings"),
        ),
        false,
      ),
      ...releaseEntries,
    }),
    {},
  ),
  data: v.object({ status: v.literal("approved"), server_name: v.string(), release: Release }),
  faults: ["server_not_found", "scan_blocks", "management_disabled"],
  async run({ app, params, body, by }) {
    const release = await approveServer(app, params.name, { force: body.force, ...seenOf(body) }, by);
    return { status: "approved" as const, server_name: params.name, release };
  },
});
