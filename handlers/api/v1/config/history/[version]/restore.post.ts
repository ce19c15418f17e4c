import { CHANGE_FAULTS } from "#lib/http/config-change.ts";
import { ChangeAnswer } from "#lib/http/config-shapes.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import { expectedRevisions, showRevision } from "#lib/http/revision.ts";
import { restore } from "#lib/settings/history.ts";

/** Makes an earlier configuration the present one; what it replaces stays in the history. */
export default endpoint("POST /api/v1/config/history/{version}/restore", {
  summary: "Restore an earlier configuration",
  access: "admin",
  data: ChangeAnswer,
  faults: ["no_such_record", ...CHANGE_FAULTS],
  async run({ app, params, by, c }) {
    const done = await restore(app, params.version, by, expectedRevisions(c));
    showRevision(c, done.revision);
    return done;
  },
});
