import { endpoint } from "#lib/core/api/endpoint.ts";
import { ConnectBody, ConnectConflict, ConnectDenied, ConnectResultShape } from "#lib/core/schema/connect-shapes.ts";
import { connect } from "#lib/modules/connect/connect.ts";

export default endpoint("POST /api/v1/connect/{client}", {
  summary: "Add this proxy to an MCP client's configuration",
  access: "admin",
  body: ConnectBody,
  data: ConnectResultShape,
  answers: { others: { 403: ConnectDenied, 409: ConnectConflict } },
  faults: ["no_such_record", "connect_conflict", "connect_refused", "connect_denied", "token_limit"],
  run({ app, params, body, by }) {
    const { server_name: name, force, precondition_token: token } = body;
    return connect(app, params.client, { name, force, token }, by);
  },
});
