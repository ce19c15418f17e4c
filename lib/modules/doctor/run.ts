import type { App } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { inScope } from "../../core/policy/scope.ts";
import type { Caller } from "../../core/schema/caller.ts";
import { scrubText } from "../../core/secrets/mask/text.ts";
import { auditFindings } from "./checks/audit.ts";
import { configuration } from "./checks/configuration.ts";
import { disk } from "./checks/disk.ts";
import { doors } from "./checks/doors.ts";
import { isolation } from "./checks/isolation.ts";
import { network } from "./checks/network.ts";
import { program } from "./checks/program.ts";
import { registries } from "./checks/registries.ts";
import { secrets } from "./checks/secrets.ts";
import { servers } from "./checks/servers.ts";
import { tls } from "./checks/tls.ts";
import type { Finding } from "./finding.ts";
import { within } from "./within.ts";

type Check = (app: App, caller: Pick<Caller, "tier">) => Finding[] | Promise<Finding[]>;

/** Everything that is looked at. */
export const CHECKS: Readonly<Record<string, Check>> = {
  auditFindings,
  configuration,
  doors,
  tls,
  secrets,
  servers,
  disk,
  program,
  isolation,
  network,
  registries,
};

/**
 * Looks at everything at once and answers what it found, the worst first (spec 000 §4.6). A check that fails or hangs
 * is a finding itself. Who may not see everything hears of its own servers only.
 */
export async function run(app: App, { tier, scope }: Caller): Promise<Finding[]> {
  const found = await Promise.all(Object.entries(CHECKS).map(([name, check]) => one(app, name, check, { tier })));
  const seen = (finding: Finding) =>
    tier === "admin" || (finding.server !== undefined && inScope(scope, finding.server));
  return found
    .flat()
    .filter(seen)
    .map(scrubbed)
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

const SEVERITIES: readonly Finding["severity"][] = ["error", "warning", "info"];

async function one(app: App, name: string, check: Check, caller: Pick<Caller, "tier">): Promise<Finding[]> {
  try {
    return await within(app.clock, () => check(app, caller));
  } catch (error) {
    const title = `The check of ${name} could not be finished: ${reasonOf(error)}`;
    return [{ code: "check_failed", severity: "warning", title }];
  }
}

/** What servers and systems say may hold a credential. */
function scrubbed(finding: Finding): Finding {
  const { title, detail } = finding;
  return { ...finding, title: scrubText(title), ...(detail !== undefined && { detail: scrubText(detail) }) };
}
