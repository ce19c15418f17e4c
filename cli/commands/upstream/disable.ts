import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  meta: {
    description: "Disconnect servers and keep them so",
    examples: ["proxy upstream disable git", "proxy upstream disable --all"],
  },
  one: "POST /api/v1/servers/{name}/disable",
  all: "POST /api/v1/servers/disable_all",
});
