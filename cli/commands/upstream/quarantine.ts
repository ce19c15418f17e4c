import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  about: "Hold back every tool of servers until they are released",
  one: "POST /api/v1/servers/{name}/quarantine",
  examples: ["proxy upstream quarantine git"],
});
