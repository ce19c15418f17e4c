import { endpoint } from "#lib/core/api/endpoint.ts";
import { AllToolsAnswer } from "#lib/core/schema/all-tools.ts";
import { setAllToolsEnabled } from "#lib/core/verbs/tools/set-enabled.ts";

/**
 * Enables all tools of a server; tools that need a separate decision are not changed and are listed in the response.
 */
export default endpoint("POST /api/v1/servers/{name}/tools/enable_all", {
  summary: "Enable every tool of a server",
  access: "admin",
  validates: true,
  data: AllToolsAnswer,
  faults: ["server_not_found", "management_disabled"],
  async run({ app, params, by }) {
    const { changed, skipped } = await setAllToolsEnabled(app, params.name, true, by);
    return { server_name: params.name, enabled: true, changed: changed.length, tools: changed, skipped };
  },
});
