import type { App } from "../../core/app.ts";
import { docsPath } from "../../core/base/docs-path.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { nextLoopTurn } from "../../core/base/loop-share.ts";
import { CHECK_AREAS, type DoctorCheck, doctorChecks } from "../../core/extension/doctor-checks.ts";
import { inScope } from "../../core/policy/scope.ts";
import type { Caller } from "../../core/schema/caller.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { scrubText } from "../../core/secrets/mask/text.ts";
import { CORE_CHECKS } from "./core-checks.ts";
import { within } from "./within.ts";

/** All checks in the order of their areas; within an area the core's come first, then the modules' in alphabetical order. */
export function checksOf(app: App): readonly DoctorCheck[] {
  return [...CORE_CHECKS, ...app.part(doctorChecks)].sort(
    (a, b) => CHECK_AREAS.indexOf(a.area) - CHECK_AREAS.indexOf(b.area),
  );
}

/**
 * Runs all checks in parallel and returns the findings, the most severe first (spec 000 §4.6). A check that fails or
 * times out becomes a finding. A caller who may not see everything gets only findings about its own servers.
 */
export async function runChecks(app: App, { tier, scope }: Caller): Promise<DoctorFinding[]> {
  const found = await Promise.all(checksOf(app).map((check) => one(app, check, { tier })));
  const isVisible = (finding: DoctorFinding) =>
    tier === "admin" || (finding.server !== undefined && inScope(scope, finding.server));
  return found
    .flat()
    .filter(isVisible)
    .map(scrubbed)
    .map((finding) => ({ ...finding, docs: docsPath("troubleshooting", finding.code) }))
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

const SEVERITIES: readonly DoctorFinding["severity"][] = ["error", "warning", "info"];

async function one(
  app: App,
  { name, run }: DoctorCheck,
  caller: Pick<Caller, "tier">,
): Promise<readonly DoctorFinding[]> {
  // Each check begins in a turn of its own, because many of them look at every server.
  await nextLoopTurn();
  try {
    return await within(app.clock, () => run(app, caller));
  } catch (error) {
    const title = `The check of ${name} failed: ${reasonOf(error)}`;
    return [{ code: "check_failed", severity: "warning", title }];
  }
}

/** Masks secrets: texts of servers and operating systems can contain credentials. */
function scrubbed(finding: DoctorFinding): DoctorFinding {
  const { title, detail } = finding;
  return { ...finding, title: scrubText(title), ...(detail !== undefined && { detail: scrubText(detail) }) };
}
