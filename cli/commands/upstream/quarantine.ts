import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  meta: {
    description: "Quarantine servers: clients cannot call their tools until release",
    examples: ["proxy upstream quarantine git"],
  },
  one: "POST /api/v1/servers/{name}/quarantine",
});
