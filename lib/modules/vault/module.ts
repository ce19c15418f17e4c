import { module } from "../../core/extension/module.ts";
import { vaultChecks } from "./checks.ts";
import { faults } from "./faults.ts";

export default module("vault", { faults, doctorChecks: vaultChecks });
