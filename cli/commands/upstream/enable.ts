import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  about: "Connect to servers",
  one: "POST /api/v1/servers/{name}/enable",
  all: "POST /api/v1/servers/enable_all",
  examples: ["proxy upstream enable git", "proxy upstream enable --all"],
});
