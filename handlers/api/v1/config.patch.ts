import { ChangeAnswer, DOCUMENT_LIMIT, Document } from "#lib/http/config-shapes.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { expectedRevisions, showRevision } from "#lib/http/revision.ts";
import { patch } from "#lib/settings/patch.ts";

/** Changes parts of the configuration: objects merge deeply, null deletes (spec 000 §4.6). */
export default endpoint("PATCH /api/v1/config", {
  summary: "Change parts of the configuration",
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
    const done = await patch(app, body, by, expectedRevisions(c));
    showRevision(c, done.revision);
    return done;
  },
});
