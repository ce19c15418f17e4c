import { endpoint } from "#lib/core/api/endpoint.ts";
import { ClientStatusShape } from "#lib/core/schema/connect-shapes.ts";
import { status } from "#lib/modules/connect/status.ts";

/** Reads the client's configuration; the response reports a denied read. */
export default endpoint("GET /api/v1/connect/{client}", {
  summary: "Show whether one MCP client is connected",
  access: "admin",
  data: ClientStatusShape,
  faults: ["no_such_record"],
  run: ({ app, params }) => status(app, params.client),
});
