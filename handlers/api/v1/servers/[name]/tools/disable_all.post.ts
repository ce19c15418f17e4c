import { endpoint } from "#lib/core/api/endpoint.ts";
import { AllToolsAnswer } from "#lib/core/schema/all-tools.ts";
import { setAllToolsEnabled } from "#lib/core/verbs/tools/set-enabled.ts";

/** Disables all tools of a server; approvals do not change. */
export default endpoint("POST /api/v1/servers/{name}/tools/disable_all", {
  summary: "Disable every tool of a server",
  access: "admin",
  validates: true,
  data: AllToolsAnswer,
  faults: ["server_not_found", "management_disabled"],
  async run({ app, params, by }) {
    const { changed, skipped } = await setAllToolsEnabled(app, params.name, false, by);
    return { server_name: params.name, enabled: false, changed: changed.length, tools: changed, skipped };
  },
});
