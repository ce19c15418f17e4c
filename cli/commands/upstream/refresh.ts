import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  meta: {
    description: "Refresh the tools of servers now; new and changed tools are pending",
    examples: ["proxy upstream refresh git"],
  },
  one: "POST /api/v1/servers/{name}/refresh",
});
