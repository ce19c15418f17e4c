import { endpoint } from "#lib/core/api/endpoint.ts";
import { ConnectDenied, ConnectNameQuery, PreviewShape } from "#lib/core/schema/connect-shapes.ts";
import { preview } from "#lib/modules/connect/preview.ts";

/** Writes nothing, not even a backup. */
export default endpoint("GET /api/v1/connect/{client}/preview", {
  summary: "Show what connecting an MCP client would write",
  access: "admin",
  query: ConnectNameQuery,
  data: PreviewShape,
  answers: { others: { 403: ConnectDenied } },
  faults: ["no_such_record", "connect_denied"],
  run: ({ app, params, query }) => preview(app, params.client, query.server_name),
});
