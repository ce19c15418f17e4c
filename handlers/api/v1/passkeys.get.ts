import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { listPasskeys } from "#lib/modules/passkeys/list.ts";
import { PasskeyEntry } from "#lib/modules/passkeys/passkey.ts";

export default endpoint("GET /api/v1/passkeys", {
  summary: "List the passkeys with which the administrator signs in to the control panel",
  access: "admin",
  data: v.object({ passkeys: v.array(PasskeyEntry) }),
  run: async ({ app }) => ({ passkeys: await listPasskeys(app) }),
});
