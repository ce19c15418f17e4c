import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { SessionEntry } from "#lib/core/schema/session-entry.ts";
import { findSession } from "#lib/core/verbs/sessions/list.ts";

/** One MCP client session (spec 000 §4.6). */
export default endpoint("GET /api/v1/sessions/{id}", {
  summary: "Read one MCP client session",
  access: "admin",
  data: v.object({ session: SessionEntry }),
  faults: ["no_such_record"],
  run: async ({ app, params }) => ({ session: await findSession(app, params.id) }),
});
