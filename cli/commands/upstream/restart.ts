import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  meta: {
    description: "Drop connections and make them anew",
    examples: ["proxy upstream restart git", "proxy upstream restart --all"],
  },
  one: "POST /api/v1/servers/{name}/restart",
  all: "POST /api/v1/servers/restart_all",
});
