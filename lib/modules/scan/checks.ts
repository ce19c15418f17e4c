import type { App } from "../../core/app.ts";
import { asciiName } from "../../core/base/ascii.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { foldLookalikes } from "./rules/confusable.ts";

/** The checks that this module adds to `proxy doctor`. */
export const scanChecks: readonly DoctorCheck[] = [{ name: "names of servers", area: "servers", run: namesAlike }];

/** Invisible characters. */
const UNSEEN = /[\p{Cf}\p{Mn}\p{Zs}]/gu;

/**
 * Reports servers whose names look alike, so that a person could confuse them. Only for administrators, because it
 * names several servers.
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

const looksLike = (name: string) => foldLookalikes(name.normalize("NFKC")).replace(UNSEEN, "").toLowerCase();
