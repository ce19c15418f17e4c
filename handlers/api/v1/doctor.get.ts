import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { rfc3339 } from "#lib/core/base/clock.ts";
import { DoctorFindingShape } from "#lib/core/schema/doctor-shapes.ts";
import { runChecks } from "#lib/modules/doctor/run-checks.ts";

const about = v.description;

/** The findings of all checks, the most severe first, each with its remedy (spec 000 §4.6). */
export default endpoint("GET /api/v1/doctor", {
  summary: "Check the health of the installation",
  access: "read",
  data: v.object({
    healthy: v.pipe(v.boolean(), about("there are no errors and no warnings")),
    total_issues: v.pipe(v.number(), about("errors and warnings")),
    findings: v.pipe(v.array(DoctorFindingShape), about("findings: errors, then warnings, then remarks")),
    checked_at: v.string(),
  }),
  async run({ app, caller }) {
    const findings = await runChecks(app, caller);
    const total = findings.filter(({ severity }) => severity !== "info").length;
    return { healthy: total === 0, total_issues: total, findings, checked_at: rfc3339(app.clock.now()) };
  },
});
