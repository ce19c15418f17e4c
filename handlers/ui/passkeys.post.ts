import * as v from "valibot";
import { baseUrl } from "#lib/core/api/base-url.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { strictMembers } from "#lib/core/api/strict.ts";
import { NewPasskey, PasskeyEntry } from "#lib/modules/passkeys/passkey.ts";
import { addPasskey } from "#lib/modules/passkeys/register.ts";

/** Registers the passkey that an authenticator made in the person's browser. */
export default endpoint("POST /ui/passkeys", {
  summary: "Register a passkey",
  access: "person",
  body: strictMembers({
    name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64), v.description("name for the list")),
    passkey: v.pipe(NewPasskey, v.description("the answer to `POST /ui/passkeys/challenge`")),
  }),
  data: PasskeyEntry,
  answers: { status: 201 },
  faults: ["passkey_unavailable", "passkey_refused", "passkey_limit"],
  async run({ app, body: { name, passkey }, by, c }) {
    const added = await addPasskey(app, baseUrl(c, app), { name, response: passkey }, by);
    c.status(201);
    return added;
  },
});
