import { secretName } from "#lib/modules/vault/name.ts";
import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";

export default command({
  meta: {
    description: "Move a header or environment variable of a server to the keyring",
    detail: "The command replaces the value with a reference and removes it from the configuration history, too.",
    examples: ["proxy upstream secret github --env GITHUB_TOKEN", "proxy upstream secret api --header Authorization"],
  },
  args: {
    name: { type: "positional", names: "servers", description: "server name" },
    header: { type: "string", valueHint: "name", description: "header to move" },
    env: { type: "string", valueHint: "name", description: "environment variable to move" },
    as: {
      type: "string",
      valueHint: "name",
      description: "name of the secret (default: derived from server and header or variable)",
    },
  },
  async run({ cli, args: { name, header, env, as } }) {
    const key = header ?? env;
    if (key === undefined || (header !== undefined && env !== undefined))
      throw new UsageError("use exactly one of --header and --env");
    const done = await cli.call("POST /api/v1/servers/{name}/config-to-secret", {
      params: { name },
      body: { scope: header === undefined ? "env" : "header", key, secret_name: as ?? secretName(name, key) },
    });
    await cli.show(done, ({ message, reference }) => `${message}: ${reference}`);
  },
});
