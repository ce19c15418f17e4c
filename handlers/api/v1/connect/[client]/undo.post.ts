import { endpoint } from "#lib/core/api/endpoint.ts";
import { ConnectDenied, ConnectResultShape, UndoBody } from "#lib/core/schema/connect-shapes.ts";
import { undo } from "#lib/modules/connect/undo.ts";

export default endpoint("POST /api/v1/connect/{client}/undo", {
  summary: "Restore an MCP client's configuration from before a connect",
  access: "admin",
  body: UndoBody,
  data: ConnectResultShape,
  answers: { others: { 403: ConnectDenied } },
  faults: ["no_such_record", "undo_changed", "connect_denied"],
  run: ({ app, params, body, by }) =>
    undo(app, params.client, { name: body.server_name, backup: body.backup_name }, by),
});
