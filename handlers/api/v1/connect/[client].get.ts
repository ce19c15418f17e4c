import { status } from "#lib/connect/status.ts";
import { ClientStatusShape } from "#lib/http/connect-shapes.ts";
import { endpoint } from "#lib/http/endpoint.ts";

/** Reads the client's configuration; a denied read is a part of the answer. */
export default endpoint("GET /api/v1/connect/{client}", {
  summary: "Show whether one MCP client is connected",
  access: "admin",
  data: ClientStatusShape,
  faults: ["no_such_record"],
  run: ({ app, params }) => status(app, params.client),
});
