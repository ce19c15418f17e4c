import { CHANGE_FAULTS, writeDocument } from "#lib/http/config-change.ts";
import { ChangeAnswer, DOCUMENT_LIMIT, Document } from "#lib/http/config-shapes.ts";
import { endpoint } from "#lib/http/endpoint.ts";

/** Changes parts of the configuration: objects merge deeply, null deletes (spec 000 §4.6). */
export default endpoint("PATCH /api/v1/config", {
  summary: "Change parts of the configuration",
  access: "admin",
  body: Document,
  bodyLimit: DOCUMENT_LIMIT,
  data: ChangeAnswer,
  faults: ["echoed_mask", ...CHANGE_FAULTS],
  run: (request) => writeDocument("patch", request),
});
