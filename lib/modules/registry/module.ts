import { module } from "../../core/extension/module.ts";
import { registryChecks } from "./checks.ts";

export default module("registry", { needs: ["isolation", "scan", "vault"], doctorChecks: registryChecks });
