import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { requireEdition } from "#lib/modules/team/begin.ts";
import { providerName } from "#lib/modules/team/edition.ts";

/** The provider's name on the sign-in button (spec 001 §2.6, §4.3). */
export default endpoint("GET /api/v1/auth/provider", {
  summary: "Show the identity provider",
  access: "open",
  flat: true,
  data: v.object({ display_name: v.string() }),
  faults: ["edition_off"],
  run: ({ app }) => ({ display_name: providerName(requireEdition(app)) }),
});
