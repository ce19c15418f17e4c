import { module } from "../../core/extension/module.ts";
import { vaultChecks } from "./checks.ts";

export default module("vault", { doctorChecks: vaultChecks });
