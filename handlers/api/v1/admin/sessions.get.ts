import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { UserSessionEntry } from "#lib/core/schema/user-entry.ts";
import { listSessions } from "#lib/modules/team/sessions.ts";

export default endpoint("GET /api/v1/admin/sessions", {
  summary: "List the browser sessions of users",
  access: "admin",
  data: v.object({ sessions: v.array(UserSessionEntry), total: v.number() }),
  run({ app }) {
    const sessions = listSessions(app);
    return { sessions, total: sessions.length };
  },
});
