import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { SinkStatusShape } from "#lib/modules/sinks/sink-status.ts";
import { recordSinks } from "#lib/modules/sinks/state.ts";

/** The receivers of activity and audit records, with what they have received. */
export default endpoint("GET /api/v1/sinks", {
  summary: "List the sinks and their state",
  access: "admin",
  data: v.object({ sinks: v.array(SinkStatusShape) }),
  run: async ({ app }) => ({ sinks: await app.part(recordSinks).list() }),
});
