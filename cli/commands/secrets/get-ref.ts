import { command } from "../../command.ts";

export default command({
  meta: { description: "Print the reference to a stored secret, for use in the configuration" },
  args: { name: { type: "positional", names: "secrets", description: "name of the secret" } },
  async run({ cli, args: { name } }) {
    const secret = await cli.call("GET /api/v1/secrets/{name}", { params: { name } });
    await cli.show(secret, ({ reference }) => reference);
  },
});
