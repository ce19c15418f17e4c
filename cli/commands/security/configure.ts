import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";

export default command({
  meta: {
    description: "Set up a scanner of the configuration",
    detail: "A secret is better given as a reference, such as TOKEN=${keyring:scanner-token}.",
    examples: [
      "proxy security configure mine --env LEVEL=high --timeout 5m",
      "proxy security configure mine --env LEVEL=",
    ],
  },
  args: {
    scanner: { type: "positional", description: "as `proxy security scanners` shows it" },
    env: {
      type: "string",
      many: true,
      valueHint: "name=value",
      description: "variable of its container; empty: removed",
    },
    image: { type: "string", valueHint: "name", description: "its container image" },
    network: { type: "string", valueHint: "on|off", description: "whether it may reach the network" },
    timeout: { type: "string", valueHint: "duration", description: "longest run" },
  },
  async run({ cli, args }) {
    if (args.network !== undefined && !/^(?:on|off)$/.test(args.network))
      throw new UsageError("--network is on or off");
    const env = Object.fromEntries(args.env.map(pair));
    const body = {
      ...(args.env.length > 0 && { env }),
      ...(args.image !== undefined && { docker_image: args.image }),
      ...(args.network !== undefined && { network: args.network === "on" }),
      ...(args.timeout !== undefined && { timeout: args.timeout }),
    };
    if (Object.keys(body).length === 0)
      throw new UsageError("say what is to be another: --env, --image, --network, --timeout");
    const params = { id: args.scanner };
    await cli.call("PUT /api/v1/security/scanners/{id}/config", { params, body });
    const entry = await cli.call("GET /api/v1/security/scanners/{id}/status", { params });
    await cli.show(entry, ({ id, status, error_message }) => `configured ${id} (${error_message ?? status})`);
  },
});

function pair(text: string): [string, string | null] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`--env is name=value, not ${JSON.stringify(text)}`);
  return [text.slice(0, at), text.slice(at + 1) || null];
}
