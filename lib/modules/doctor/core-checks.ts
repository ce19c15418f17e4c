import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import { configuration } from "./checks/configuration.ts";
import { disk } from "./checks/disk.ts";
import { listeners } from "./checks/listeners.ts";
import { network } from "./checks/network.ts";
import { program } from "./checks/program.ts";
import { servers } from "./checks/servers.ts";

/** The checks of the core itself. A module brings its own in its `checks.ts`. */
export const CORE_CHECKS: readonly DoctorCheck[] = [
  { name: "configuration", area: "configuration", run: configuration },
  { name: "listeners", area: "listeners", run: listeners },
  { name: "servers", area: "servers", run: servers },
  { name: "disk", area: "disk", run: disk },
  { name: "program", area: "program", run: program },
  { name: "network", area: "network", run: network },
];
