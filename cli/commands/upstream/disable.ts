import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  about: "Disconnect servers and keep them so",
  one: "POST /api/v1/servers/{name}/disable",
  all: "POST /api/v1/servers/disable_all",
  examples: ["proxy upstream disable git", "proxy upstream disable --all"],
});
