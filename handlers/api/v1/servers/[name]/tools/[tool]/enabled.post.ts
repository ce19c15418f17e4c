import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { seenEntries } from "#lib/core/schema/release.ts";
import { setToolEnabled } from "#lib/core/verbs/tools/set-enabled.ts";

/** Enables or disables one tool; its approval does not change. */
export default endpoint("POST /api/v1/servers/{name}/tools/{tool}/enabled", {
  summary: "Enable or disable one tool",
  access: "admin",
  validates: true,
  body: v.object({ enabled: v.boolean(), accept_findings: seenEntries.accept_findings }),
  data: v.object({ server_name: v.string(), tool_name: v.string(), enabled: v.boolean() }),
  faults: ["server_not_found", "tools_not_found", "findings_not_accepted", "tool_denied", "management_disabled"],
  async run({ app, params, body, by }) {
    await setToolEnabled(app, params.name, params.tool, body.enabled, by, body.accept_findings);
    return { server_name: params.name, tool_name: params.tool, enabled: body.enabled };
  },
});
