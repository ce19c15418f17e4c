import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { refresh } from "#lib/modules/registry/refresh.ts";

/** Expires cached responses, so that the next search requests the registry (spec 000 §4.4). */
export default endpoint("POST /api/v1/registries/{id}/refresh", {
  summary: "Clear a registry's cache",
  access: "admin",
  data: v.object({
    registry_id: v.string(),
    cleared: v.pipe(v.number(), v.description("number of cached responses that were discarded")),
  }),
  faults: ["registry_not_found"],
  run: async ({ app, params: { id } }) => ({ registry_id: id, cleared: await refresh(app, id) }),
});
