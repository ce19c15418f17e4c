import { ChangeAnswer, DOCUMENT_LIMIT, Document } from "#lib/http/config-shapes.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { expectedRevisions, showRevision } from "#lib/http/revision.ts";
import { apply } from "#lib/settings/apply.ts";

/** Replaces the whole configuration; hot settings take effect at once (spec 000 §4.6). */
export default endpoint("POST /api/v1/config/apply", {
  summary: "Replace the configuration",
  access: "admin",
  body: Document,
  bodyLimit: DOCUMENT_LIMIT,
  data: ChangeAnswer,
  faults: [
    "config_invalid",
    "echoed_mask",
    "changed_meanwhile",
    "management_disabled",
    "registries_locked",
    "config_broken",
  ],
  async run({ app, body, by, c }) {
    const done = await apply(app, body, by, expectedRevisions(c));
    showRevision(c, done.revision);
    return done;
  },
});
