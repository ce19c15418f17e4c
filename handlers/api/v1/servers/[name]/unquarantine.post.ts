import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { plural } from "#lib/core/base/plural.ts";
import { Release, seenEntries } from "#lib/core/schema/release.ts";
import { ServerAction } from "#lib/core/schema/server-record.ts";
import { releaseServer } from "#lib/core/verbs/servers/release.ts";
import { serverActionAnswer } from "#lib/core/verbs/servers/server-action.ts";

/**
 * Allows calls again and approves the pending tools that the request names, or, without a body, those pending now
 * (spec 000 §3, §4.2).
 */
export default endpoint("POST /api/v1/servers/{name}/unquarantine", {
  summary: "Release a server from quarantine",
  access: "admin",
  validates: true,
  body: v.optional(v.object(seenEntries), {}),
  data: v.object({
    ...ServerAction.entries,
    release: v.pipe(
      Release,
      v.description("tools that this request approved, and tools that still wait with their reasons"),
    ),
  }),
  faults: ["server_not_found", "management_disabled"],
  async run({ app, params, body, by }) {
    const seen = {
      pins: body.pins,
      acceptFindings: body.accept_findings,
      acceptInstructions: body.accept_instructions,
    };
    const { record, release } = await releaseServer(app, params.name, seen, by);
    return { ...serverActionAnswer("unquarantine", record, stillWaiting(release)), release };
  },
});

function stillWaiting({ pending }: Release): string | undefined {
  return pending.length === 0
    ? undefined
    : `${plural(pending.length, "tool still waits", "tools still wait")} for approval`;
}
