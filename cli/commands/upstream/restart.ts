import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  meta: {
    description: "Restart servers: close connections and connect again",
    examples: ["proxy upstream restart git", "proxy upstream restart --all"],
  },
  one: "POST /api/v1/servers/{name}/restart",
  all: "POST /api/v1/servers/restart_all",
});
