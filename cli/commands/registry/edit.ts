import { command } from "../../command.ts";
import { UsageError } from "../../exit.ts";

export default command({
  meta: {
    description: "Change an added registry",
    examples: ["proxy registry edit ours --servers-url https://registry.example.com/v0.1/servers"],
  },
  ownUrl: "--servers-url <url> or --page <url>",
  args: {
    id: { type: "positional", names: "registries", description: "id from `proxy registry list`" },
    name: { type: "string", valueHint: "text", description: "display name" },
    page: { type: "string", valueHint: "url", description: "web page of the registry" },
    "servers-url": { type: "string", valueHint: "url", description: "URL of its list of servers" },
  },
  async run({ cli, args }) {
    const { id, name, page: url } = args;
    const servers_url = args["servers-url"];
    const body = {
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url }),
      ...(servers_url !== undefined && { servers_url }),
    };
    if (Object.keys(body).length === 0) throw new UsageError("nothing to change; set at least one flag");
    const done = await cli.call("PUT /api/v1/registries/{id}", { params: { id }, body });
    await cli.show(done, () => `changed registry ${id}: ${Object.keys(body).join(", ")}`);
  },
});
