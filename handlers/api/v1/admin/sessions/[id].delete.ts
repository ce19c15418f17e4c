import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { endSession } from "#lib/modules/team/sessions.ts";

export default endpoint("DELETE /api/v1/admin/sessions/{id}", {
  summary: "End a user's browser session",
  access: "admin",
  data: v.object({ id: v.string(), message: v.string() }),
  faults: ["no_such_record"],
  async run({ app, params: { id }, by }) {
    await endSession(app, id, by);
    return { id, message: `session "${id}": ended` };
  },
});
