import { command } from "../../command.ts";

export default command({
  meta: { description: "Remove a stored secret" },
  args: {
    name: { type: "positional", description: "name of the secret" },
    force: { type: "boolean", description: "remove the secret even if the configuration refers to it" },
  },
  async run({ cli, args: { name, force } }) {
    const query = { force: force ? "true" : "false" } as const;
    const done = await cli.call("DELETE /api/v1/secrets/{name}", { params: { name }, query });
    await cli.show(done, ({ message }) => message);
  },
});
