import { toolVerb } from "../../tool-verb.ts";

export default toolVerb({
  verb: "block",
  about: "Block tools, so that no client sees or calls them",
  detail: "A blocked tool stays so whatever its server changes. `proxy tools approve` takes it back.",
  decide: (cli, name, tools) =>
    cli.call("POST /api/v1/servers/{name}/tools/block", {
      params: { name },
      body: tools === "all" ? { block_all: true } : { tools },
    }),
});
