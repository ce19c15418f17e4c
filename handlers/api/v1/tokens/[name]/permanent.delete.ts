import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { removeToken } from "#lib/core/verbs/tokens/remove.ts";

export default endpoint("DELETE /api/v1/tokens/{name}/permanent", {
  summary: "Delete an agent token and its record",
  access: "admin",
  validates: true,
  data: v.object({ name: v.string(), message: v.string() }),
  faults: ["no_such_record"],
  async run({ app, params: { name }, by }) {
    await removeToken(app, name, by);
    return { name, message: `agent token "${name}": deleted` };
  },
});
