import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";

export default command({
  meta: {
    description: "Change a scanner that the configuration defines",
    detail: "Pass a secret as a reference, such as TOKEN=${keyring:scanner-token}.",
    examples: [
      "proxy security configure mine --env LEVEL=high --timeout 5m",
      "proxy security configure mine --env LEVEL=",
    ],
  },
  args: {
    scanner: { type: "positional", description: "id from `proxy security scanners`" },
    env: {
      type: "string",
      many: true,
      valueHint: "name=value",
      description: "environment variable of its container; an empty value removes it",
    },
    image: { type: "string", valueHint: "name", description: "container image of the scanner" },
    network: { type: "string", valueHint: "on|off", description: "whether the scanner may access the network" },
    timeout: { type: "string", valueHint: "duration", description: "maximum run time" },
  },
  async run({ cli, args }) {
    if (args.network !== undefined && !/^(?:on|off)$/.test(args.network))
      throw new UsageError("--network must be on or off");
    const env = Object.fromEntries(args.env.map(pair));
    const body = {
      ...(args.env.length > 0 && { env }),
      ...(args.image !== undefined && { docker_image: args.image }),
      ...(args.network !== undefined && { network: args.network === "on" }),
      ...(args.timeout !== undefined && { timeout: args.timeout }),
    };
    if (Object.keys(body).length === 0)
      throw new UsageError("nothing to change; set at least one of --env, --image, --network, --timeout");
    const params = { id: args.scanner };
    await cli.call("PUT /api/v1/security/scanners/{id}/config", { params, body });
    const entry = await cli.call("GET /api/v1/security/scanners/{id}/status", { params });
    await cli.show(entry, ({ id, status, error_message }) => `configured ${id} (${error_message ?? status})`);
  },
});

function pair(text: string): [string, string | null] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`--env must have the form name=value, not ${JSON.stringify(text)}`);
  return [text.slice(0, at), text.slice(at + 1) || null];
}
