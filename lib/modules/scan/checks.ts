import type { App } from "../../core/app.ts";
import { asciiName } from "../../core/base/ascii.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { folded } from "./rules/confusable.ts";

/** What `proxy doctor` checks of this module. */
export const scanChecks: readonly DoctorCheck[] = [{ name: "names of servers", area: "servers", run: namesAlike }];

/** Characters without a look of their own. */
const UNSEEN = /[\p{Cf}\p{Mn}\p{Zs}]/gu;

/**
 * Names that people cannot tell apart: whoever reads one of them in a list may take it for the other. Told to
 * administrators alone, since it names several servers.
 */
function namesAlike({ config }: App): DoctorFinding[] {
  const looks = new Map<string, string[]>();
  for (const { name } of config.current().mcpServers)
    looks.set(looksLike(name), [...(looks.get(looksLike(name)) ?? []), name]);
  return [...looks.values()]
    .filter((same) => same.length > 1)
    .map((same) => ({
      code: "server_names_alike",
      severity: "warning",
      title: `Servers whose names look alike: ${same.map(asciiName).join(", ")}`,
      detail: "A person or a model may confuse them when approving or calling tools.",
      remedy: {
        action: "Review both, and remove or rename the wrong one",
        command: "proxy upstream list",
      },
    }));
}

const looksLike = (name: string) => folded(name.normalize("NFKC")).replace(UNSEEN, "").toLowerCase();
