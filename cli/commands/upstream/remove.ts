import { RestError } from "#lib/client/error.ts";
import { command } from "../../command.ts";

export default command({
  meta: { description: "Remove an upstream server with what is known about its tools" },
  args: {
    name: { type: "positional", description: "server name" },
    "if-exists": { type: "boolean", description: "succeed when there is none of this name" },
  },
  async run({ cli, args }) {
    const { name } = args;
    try {
      const done = await cli.call("DELETE /api/v1/servers/{name}", { params: { name } });
      await cli.show(done, () => `removed ${name}`);
    } catch (error) {
      if (!args["if-exists"] || !(error instanceof RestError) || error.status !== 404) throw error;
      cli.note(`there is no server ${name}; nothing was changed`);
    }
  },
});
