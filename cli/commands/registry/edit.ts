import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";

export default command({
  meta: {
    description: "Change a registry that was added",
    examples: ["proxy registry edit ours --servers-url https://registry.example.com/v0.1/servers"],
  },
  args: {
    id: { type: "positional", description: "as `proxy registry list` shows it" },
    name: { type: "string", valueHint: "text", description: "what it is called for people" },
    page: { type: "string", valueHint: "url", description: "its page" },
    "servers-url": { type: "string", valueHint: "url", description: "where its list is" },
  },
  async run({ cli, args }) {
    const { id, name, page: url } = args;
    const servers_url = args["servers-url"];
    const body = {
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url }),
      ...(servers_url !== undefined && { servers_url }),
    };
    if (Object.keys(body).length === 0) throw new UsageError("say what to change");
    const done = await cli.call("PUT /api/v1/registries/{id}", { params: { id }, body });
    await cli.show(done, () => `changed registry ${id}: ${Object.keys(body).join(", ")}`);
  },
});
