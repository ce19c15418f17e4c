import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  meta: {
    description: "Disable servers and disconnect them",
    examples: ["proxy upstream disable git", "proxy upstream disable --all"],
  },
  one: "POST /api/v1/servers/{name}/disable",
  all: "POST /api/v1/servers/disable_all",
});
