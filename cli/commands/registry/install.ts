import { RestError } from "#lib/client/error.ts";
import { askSecret, askText } from "../../ask-secret.ts";
import type { Cli } from "../../cli.ts";
import { command } from "../../command.ts";
import { noteNextSteps } from "../../next-steps.ts";
import { ENV, pairs } from "../../pairs.ts";
import { ASKING_MS } from "../../registry-timeout.ts";
import { quoted } from "../../self.ts";

export default command({
  meta: {
    description: "Install a server from a registry",
    detail:
      "The proxy creates the definition for the version in the registry. The command asks for required inputs on a terminal, or takes them from --env; secrets go to the keyring. A new server stays quarantined until an administrator releases it.",
    examples: [
      "proxy registry install io.modelcontextprotocol/filesystem -r reference --env folder=/srv/notes",
      "proxy registry install io.github.example/weather --name weather",
    ],
  },
  args: {
    server: { type: "positional", description: "id from `proxy registry search`" },
    registry: { type: "string", alias: "r", valueHint: "id", description: "registry of the server (official)" },
    name: { type: "string", valueHint: "name", description: "name of the server in this proxy" },
    env: { type: "string", many: true, valueHint: "NAME=value", description: "required input of the server" },
    enabled: { type: "boolean", description: "connect to the server, which starts it; --no-enabled: do not" },
  },
  async run({ cli, args }) {
    const { server, registry = "official", name, enabled } = args;
    const env = pairs("--env", args.env, ENV);
    const send = () =>
      cli.call(
        "POST /api/v1/registries/{id}/servers/{serverId}/add",
        {
          params: { id: registry, serverId: server },
          body: { ...(name !== undefined && { name }), env, ...(enabled !== undefined && { enabled }) },
        },
        { timeoutMs: ASKING_MS },
      );
    const done = await send().catch(async (error: unknown) => {
      const inputs = missingInputs(error);
      if (!inputs || !isTerminal(cli)) throw error;
      for (const { name: input, description, secret, choices } of inputs) {
        const what = [input, description && `(${description})`, choices && `[${choices.join(", ")}]`];
        env[input] = await (secret ? askSecret : askText)(what.filter(Boolean).join(" "), cli);
      }
      return await send();
    });
    await cli.show(done, ({ server: added }) => `added ${added.name}${added.quarantined ? ", in quarantine" : ""}`);
    const { server: added } = done;
    if (added.secrets.length > 0) cli.note(`Stored as secrets: ${added.secrets.join(", ")}`);
    if (!added.enabled) cli.note(`Start it: ${cli.self} upstream enable ${quoted(added.name)}`);
    else if (added.quarantined) await noteNextSteps(cli, added.name);
  },
});

interface Missing {
  name: string;
  description: string;
  secret: boolean;
  choices?: string[];
}

function missingInputs(error: unknown): Missing[] | undefined {
  if (!(error instanceof RestError) || error.code !== "missing_required_input") return undefined;
  const { missing_inputs } = error.body;
  return Array.isArray(missing_inputs) ? (missing_inputs as Missing[]) : undefined;
}

const isTerminal = ({ stdin }: Cli) => (stdin as Partial<NodeJS.ReadStream>).isTTY === true;
