import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  meta: {
    description: "Release servers from quarantine, with the tools they list now",
    examples: ["proxy upstream unquarantine git"],
  },
  one: "POST /api/v1/servers/{name}/unquarantine",
});
