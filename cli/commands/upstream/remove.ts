import { RestError } from "#lib/client/error.ts";
import { command } from "../../command.ts";

export default command({
  meta: {
    description: "Remove an upstream server",
    detail:
      "Approvals and blocks of its tools are remembered: when the same server returns they hold again. --forget drops them, also of a server that was removed before.",
  },
  args: {
    name: { type: "positional", description: "server name" },
    forget: { type: "boolean", description: "also forget the approvals and blocks of its tools" },
    "if-exists": { type: "boolean", description: "succeed when there is none of this name" },
  },
  async run({ cli, args }) {
    const { name } = args;
    try {
      const done = await cli.call("DELETE /api/v1/servers/{name}", {
        params: { name },
        query: { forget: args.forget ? "true" : "false" },
      });
      await cli.show(done, () => `removed ${name}`);
    } catch (error) {
      if (!args["if-exists"] || !(error instanceof RestError) || error.status !== 404) throw error;
      cli.note(`there is no server ${name}; nothing was changed`);
    }
  },
});
