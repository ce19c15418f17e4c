import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { endSession } from "#lib/modules/team/sessions.ts";

export default endpoint("DELETE /api/v1/user/sessions/{id}", {
  summary: "Sign one of one's own browsers out",
  access: "user",
  data: v.object({ id: v.string(), message: v.string() }),
  faults: ["no_such_record"],
  async run({ app, params: { id }, by }) {
    await endSession(app, id, by, by.caller.user!.id);
    return { id, message: `session "${id}": ended` };
  },
});
