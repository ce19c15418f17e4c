import { stringify } from "yaml";
import { command } from "../../command.ts";
import { ASKING_MS } from "../../registry-timeout.ts";
import { quoted } from "../../self.ts";

export default command({
  meta: {
    description: "Show one server of a registry: description, command and required inputs",
    examples: ["proxy registry show io.modelcontextprotocol/filesystem -r reference"],
  },
  args: {
    server: { type: "positional", description: "id from `proxy registry search`" },
    registry: { type: "string", alias: "r", valueHint: "id", description: "registry of the server (official)" },
  },
  async run({ cli, args: { server, registry = "official" } }) {
    const found = await cli.call(
      "GET /api/v1/registries/{id}/servers/{serverId}",
      { params: { id: registry, serverId: server } },
      { timeoutMs: ASKING_MS },
    );
    await cli.show(found, (one) => stringify(one, { lineWidth: 0 }).trimEnd());
    if (found.not_installable !== undefined) return;
    const inputFlags = found.required_inputs.map(({ name }) => ` --env ${quoted(name)}=…`).join("");
    const where = registry === "official" ? "" : ` -r ${quoted(registry)}`;
    cli.note(`Install it: ${cli.self} registry install ${quoted(server)}${where}${inputFlags}`);
  },
});
