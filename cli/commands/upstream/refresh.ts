import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  meta: {
    description: "List the tools of servers again, now; new and changed ones wait for approval",
    examples: ["proxy upstream refresh git"],
  },
  one: "POST /api/v1/servers/{name}/refresh",
});
