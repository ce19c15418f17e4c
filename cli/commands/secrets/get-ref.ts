import { command } from "../../command.ts";

export default command({
  meta: { description: "Print what stands for a stored secret in the configuration" },
  args: { name: { type: "positional", description: "name of the secret" } },
  async run({ cli, args: { name } }) {
    const secret = await cli.call("GET /api/v1/secrets/{name}", { params: { name } });
    await cli.show(secret, ({ reference }) => reference);
  },
});
