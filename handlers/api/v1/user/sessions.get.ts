import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { UserSessionEntry } from "#lib/core/schema/user-entry.ts";
import { listSessions } from "#lib/modules/team/sessions.ts";

export default endpoint("GET /api/v1/user/sessions", {
  summary: "List the user's browser sessions",
  access: "user",
  data: v.object({ sessions: v.array(UserSessionEntry) }),
  run({ app, caller: { user } }) {
    const sessions = listSessions(app, user!.id);
    return { sessions: sessions.map((row) => ({ ...row, current: row.id === user!.session })) };
  },
});
