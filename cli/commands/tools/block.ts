import { toolVerb } from "../../tool-verb.ts";

export default toolVerb({
  meta: {
    description: "Block tools, so that no client sees or calls them",
    detail: "A tool stays blocked even if its server changes it. `proxy tools approve` lifts the block.",
    examples: ["proxy tools block git:log git:diff", "proxy tools block git --all"],
  },
  decide: (cli, name, tools) =>
    cli.call("POST /api/v1/servers/{name}/tools/block", {
      params: { name },
      body: tools === "all" ? { block_all: true } : { tools },
    }),
});
