import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";
import { SERVER_ARGS, serverFields } from "../../server-fields.ts";

export default command({
  meta: {
    description: "Change settings of an upstream server; other settings stay",
    examples: [
      "proxy upstream patch files --env LOG=debug --env-remove TOKEN",
      "proxy upstream patch files -- node server.js",
    ],
  },
  rest: "command args…",
  ownUrl: "--address <url>",
  args: {
    name: { type: "positional", names: "servers", description: "server name" },
    ...SERVER_ARGS,
    address: { type: "string", valueHint: "url", description: "URL of the server" },
    "command-remove": { type: "boolean", description: "remove its command, so that only its address is used" },
    "header-remove": { type: "string", many: true, valueHint: "name", description: "header to remove" },
    "env-remove": { type: "string", many: true, valueHint: "NAME", description: "environment variable to remove" },
  },
  async run({ cli, args, rest }) {
    const fields = serverFields(args, rest);
    const headers = { ...fields.headers, ...removals(args["header-remove"]) };
    const env = { ...fields.env, ...removals(args["env-remove"]) };
    const body = {
      ...fields,
      ...(args.address !== undefined && { url: args.address }),
      ...(args["command-remove"] && { command: null, args: [] }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(Object.keys(env).length > 0 && { env }),
    };
    if (Object.keys(body).length === 0) throw new UsageError("nothing to change; set at least one flag");
    const { name } = args;
    const changed = await cli.call("PATCH /api/v1/servers/{name}", { params: { name }, body });
    await cli.show(changed, ({ message }) => message);
  },
});

/** Removals for a JSON Merge Patch, where null removes a key (spec 000 §4.2). */
const removals = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
