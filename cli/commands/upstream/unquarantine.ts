import { serverVerb } from "../../server-verb.ts";

export default serverVerb({
  about: "Release servers from quarantine, with the tools they list now",
  one: "POST /api/v1/servers/{name}/unquarantine",
  examples: ["proxy upstream unquarantine git"],
});
