import { endpoint } from "#lib/core/api/endpoint.ts";
import { PasskeyEntry } from "#lib/modules/passkeys/passkey.ts";
import { removePasskey } from "#lib/modules/passkeys/remove.ts";

/** The browsers that signed in with the passkey are signed out. */
export default endpoint("DELETE /api/v1/passkeys/{id}", {
  summary: "Remove a passkey",
  access: "admin",
  data: PasskeyEntry,
  faults: ["no_such_record"],
  run: ({ app, params, by }) => removePasskey(app, params.id, by),
});
