import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { removeOwn } from "#lib/modules/team/tokens.ts";

export default endpoint("DELETE /api/v1/user/tokens/{name}/permanent", {
  summary: "Delete one of the user's agent tokens and its record",
  access: "user",
  data: v.object({ name: v.string(), message: v.string() }),
  faults: ["no_such_record"],
  async run({ app, params: { name }, by }) {
    await removeOwn(app, name, by);
    return { name, message: `agent token "${name}": deleted` };
  },
});
