import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  about: "Drop connections and make them anew",
  one: "POST /api/v1/servers/{name}/restart",
  all: "POST /api/v1/servers/restart_all",
  examples: ["proxy upstream restart git", "proxy upstream restart --all"],
});
