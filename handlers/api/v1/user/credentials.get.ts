import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { CredentialEntry } from "#lib/core/schema/user-entry.ts";
import { listCredentials } from "#lib/modules/team/credentials.ts";

export default endpoint("GET /api/v1/user/credentials", {
  summary: "List the user's own sign-ins at shared servers",
  access: "user",
  data: v.object({ credentials: v.array(CredentialEntry) }),
  run: async ({ app, caller }) => ({ credentials: await listCredentials(app, caller) }),
});
