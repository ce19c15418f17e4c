import * as v from "valibot";
import { baseUrl } from "#lib/core/api/base-url.ts";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { canUsePasskey } from "#lib/modules/passkeys/list.ts";
import { currentEdition, providerName } from "#lib/modules/team/edition.ts";

/** Whether this browser is signed in; the panel's first request. */
export default endpoint("GET /ui/session", {
  summary: "Get the caller who is signed in to the control panel",
  access: "open",
  data: v.object({
    signed_in: v.boolean(),
    name: v.pipe(v.string(), v.description("empty while nobody is")),
    tier: v.picklist(["admin", "agent", "user", "anonymous"]),
    provider: v.optional(
      v.pipe(v.string(), v.description("name of the identity provider for sign-in, in the multi-user edition")),
    ),
    passkeys: v.pipe(v.boolean(), v.description("whether a passkey is registered for this host name")),
  }),
  async run({ app, caller, c }) {
    c.header("Cache-Control", "no-store");
    const signed_in = caller.tier === "admin" || caller.tier === "user";
    const block = currentEdition(app);
    return {
      signed_in,
      name: signed_in ? caller.name : "",
      tier: caller.tier,
      passkeys: await canUsePasskey(app, baseUrl(c, app)),
      ...(block && { provider: providerName(block) }),
    };
  },
});
