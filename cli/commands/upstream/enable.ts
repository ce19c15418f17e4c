import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  meta: {
    description: "Enable servers and connect to them",
    examples: ["proxy upstream enable git", "proxy upstream enable --all"],
  },
  one: "POST /api/v1/servers/{name}/enable",
  all: "POST /api/v1/servers/enable_all",
});
