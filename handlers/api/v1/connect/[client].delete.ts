import { endpoint } from "#lib/core/api/endpoint.ts";
import {
  ConnectConflict,
  ConnectDenied,
  ConnectNameQuery,
  ConnectResultShape,
} from "#lib/core/schema/connect-shapes.ts";
import { disconnect } from "#lib/modules/connect/disconnect.ts";

export default endpoint("DELETE /api/v1/connect/{client}", {
  summary: "Remove this proxy from an MCP client's configuration",
  access: "admin",
  query: ConnectNameQuery,
  data: ConnectResultShape,
  answers: { others: { 403: ConnectDenied, 409: ConnectConflict } },
  faults: ["no_such_record", "connect_conflict", "connect_refused", "connect_denied"],
  run: ({ app, params, query, by }) => disconnect(app, params.client, query.server_name, by),
});
