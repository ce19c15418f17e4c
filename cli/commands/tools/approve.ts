import { toolVerb } from "../../tool-verb.ts";

export default toolVerb({
  meta: {
    description: "Approve tools that are new or have changed",
    detail:
      "An approval covers a tool as it is now: name, description, schemas and annotations. See changes with `proxy tools diff`.",
    examples: ["proxy tools approve git:log git:diff", "proxy tools approve git --all"],
  },
  decide: (cli, name, tools) =>
    cli.call("POST /api/v1/servers/{name}/tools/approve", {
      params: { name },
      body: tools === "all" ? { approve_all: true } : { tools },
    }),
});
