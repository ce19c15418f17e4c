import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { endSession } from "#lib/modules/team/sessions.ts";

export default endpoint("DELETE /api/v1/user/sessions/{id}", {
  summary: "End one of the user's browser sessions",
  access: "user",
  data: v.object({ id: v.string(), message: v.string() }),
  faults: ["no_such_record"],
  async run({ app, params: { id }, by }) {
    await endSession(app, id, by, by.caller.user!.id);
    return { id, message: `session "${id}": ended` };
  },
});
