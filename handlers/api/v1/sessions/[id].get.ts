import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { find } from "#lib/sessions/list.ts";
import { SessionEntry } from "#lib/shape/session-entry.ts";

/** One MCP client session (spec 000 §4.6). */
export default endpoint("GET /api/v1/sessions/{id}", {
  summary: "Read one MCP client session",
  access: "admin",
  data: v.object({ session: SessionEntry }),
  faults: ["no_such_record"],
  run: ({ app, params }) => ({ session: find(app, params.id) }),
});
