import * as v from "valibot";
import { endpoint } from "#lib/http/endpoint.ts";
import { CredentialEntry } from "#lib/shape/user-entry.ts";
import { listCredentials } from "#lib/team/credentials.ts";

export default endpoint("GET /api/v1/user/credentials", {
  summary: "List one's own sign-ins at shared servers",
  access: "user",
  data: v.object({ credentials: v.array(CredentialEntry) }),
  run: async ({ app, caller }) => ({ credentials: await listCredentials(app, caller) }),
});
