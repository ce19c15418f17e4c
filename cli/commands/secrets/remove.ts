import { command } from "../../command.ts";

export default command({
  meta: { description: "Remove a stored secret" },
  args: { name: { type: "positional", description: "name of the secret" } },
  async run({ cli, args: { name } }) {
    const done = await cli.call("DELETE /api/v1/secrets/{name}", { params: { name } });
    await cli.show(done, ({ message }) => message);
  },
});
