import { module } from "../../core/extension/module.ts";
import { registryChecks } from "./checks.ts";
import { faults } from "./faults.ts";

export default module("registry", { faults, needs: ["isolation", "scan", "vault"], doctorChecks: registryChecks });
