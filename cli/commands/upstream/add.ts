import { RestError } from "#lib/client/error.ts";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";
import { noteNextSteps } from "../../next-steps.ts";
import { SERVER_ARGS, serverFields } from "../../server-fields.ts";

export default command({
  meta: {
    description: "Add an upstream server by its address or by the command that starts it",
    detail:
      "With both, the proxy starts the command and connects to the address, which must be on this machine. A new server is quarantined: administrators can list its tools, but clients cannot call them until an administrator releases it.",
    examples: [
      "proxy upstream add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes",
      "proxy upstream add notes http://127.0.0.1:9000/mcp -- notes-server --port 9000",
      "proxy upstream add docs https://docs.example.com/mcp --header 'Authorization: Bearer ${env:DOCS_TOKEN}'",
    ],
  },
  rest: "command args…",
  ownUrl: "an argument",
  args: {
    name: { type: "positional", description: "name of the server" },
    address: { type: "positional", required: false, description: "URL of the server" },
    ...SERVER_ARGS,
    quarantine: { type: "boolean", description: "start in quarantine; --no-quarantine: trust it at once" },
    "if-not-exists": { type: "boolean", description: "succeed without a change if a server of this name exists" },
  },
  async run({ cli, args, rest }) {
    const { name, address } = args;
    if (address === undefined && rest.length === 0)
      throw new UsageError(`name the server's address or, after "--", the command that starts it`);
    const fields = serverFields(args, rest);
    const body = {
      name,
      ...fields,
      ...(address && { url: address }),
      ...(args.quarantine !== undefined && { quarantined: args.quarantine }),
    };
    try {
      const added = await cli.call("POST /api/v1/servers", { body });
      await cli.show(added, () => `added ${name}${added.quarantined ? ", in quarantine" : ""}`);
      if (added.quarantined) await noteNextSteps(cli, name);
    } catch (error) {
      if (!args["if-not-exists"] || !(error instanceof RestError) || error.code !== "already_exists") throw error;
      cli.note(`${name} already exists; nothing was changed`);
    }
  },
});
