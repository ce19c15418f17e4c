import { endpoint } from "#lib/core/api/endpoint.ts";
import { ClientSurvey } from "#lib/core/schema/client-survey.ts";
import { surveyClients } from "#lib/modules/connect/import/survey.ts";

/** What an import from all clients would add. Files are read; nothing is changed. */
export default endpoint("GET /api/v1/servers/import/survey", {
  summary: "List the servers of all MCP clients on the proxy's machine, each once",
  access: "admin",
  data: ClientSurvey,
  faults: ["management_disabled"],
  run: ({ app, by }) => surveyClients(app, by),
});
