import { endpoint } from "#lib/core/api/endpoint.ts";
import { showRevision } from "#lib/core/api/revision.ts";
import { Fault } from "#lib/core/base/fault.ts";
import { revisionOf } from "#lib/core/base/revision.ts";
import { RestServerPatch } from "#lib/core/config/server-patch.ts";
import { ServerAction } from "#lib/core/schema/server-record.ts";
import { findServer } from "#lib/core/verbs/servers/find.ts";
import { missingFolder } from "#lib/core/verbs/servers/missing-folder.ts";
import { patchServer } from "#lib/core/verbs/servers/patch.ts";
import { serverActionAnswer } from "#lib/core/verbs/servers/server-action.ts";

/**
 * Changes a server: absent fields keep their values, maps merge by RFC 7396, and masked values stand for the stored
 * ones (spec 000 §4.2).
 */
export default endpoint("PATCH /api/v1/servers/{name}", {
  summary: "Change an upstream server",
  access: "admin",
  validates: true,
  body: RestServerPatch,
  data: ServerAction,
  faults: ["server_not_found", "echoed_mask", "management_disabled"],
  async run({ app, params, body, by, c }) {
    const { name, ...changes } = body;
    if (name !== undefined && name !== params.name)
      throw new Fault("invalid_request", {
        reason: "name: a server cannot be renamed; add it again under the new name",
      });
    const before = revisionOf(findServer(app, params.name, by.caller));
    const after = await patchServer(app, params.name, changes, by);
    showRevision(c, after.revision);
    const remark = changes.working_dir ? await missingFolder(after) : undefined;
    return serverActionAnswer("patch", after, remark, after.revision === before ? "nothing changed" : undefined);
  },
});
