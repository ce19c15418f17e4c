import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  meta: {
    description: "Hold back every tool of servers until they are released",
    examples: ["proxy upstream quarantine git"],
  },
  one: "POST /api/v1/servers/{name}/quarantine",
});
