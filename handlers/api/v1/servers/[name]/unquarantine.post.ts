import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { plural } from "#lib/core/base/plural.ts";
import { Release, releaseEntries, seenOf } from "#lib/core/schema/release.ts";
import { ServerAction } from "#lib/core/schema/server-record.ts";
import { releaseServer } from "#lib/core/verbs/servers/release.ts";
import { serverActionAnswer } from "#lib/core/verbs/servers/server-action.ts";

/**
 * Releases a server: allows calls, and approves the pending tools, prompts, resources and templates that the request
 * names or, without a body, all that are pending at that moment (spec 000 §3, §4.2).
 */
export default endpoint("POST /api/v1/servers/{name}/unquarantine", {
  summary: "Release a server from quarantine",
  access: "admin",
  validates: true,
  body: v.optional(v.object(releaseEntries), {}),
  data: v.object({
    ...ServerAction.entries,
    release: v.pipe(Release, v.description("what this request approved, and what still waits with the reasons")),
  }),
  faults: ["server_not_found", "management_disabled"],
  async run({ app, params, body, by }) {
    const { record, release } = await releaseServer(app, params.name, seenOf(body), by);
    return { ...serverActionAnswer("unquarantine", record, stillWaiting(release)), release };
  },
});

function stillWaiting({ pending, items }: Release): string | undefined {
  const counted = [
    pending.length > 0 && plural(pending.length, "tool"),
    items &&
      items.pending.length > 0 &&
      `${plural(items.pending.length, "prompt or resource", "prompts and resources")}`,
  ].filter((text) => typeof text === "string");
  const isOne = pending.length + (items?.pending.length ?? 0) === 1;
  return counted.length === 0 ? undefined : `${counted.join(" and ")} still ${isOne ? "waits" : "wait"} for approval`;
}
