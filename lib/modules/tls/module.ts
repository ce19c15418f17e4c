import { module } from "../../core/extension/module.ts";
import { tlsChecks } from "./checks.ts";
import { faults } from "./faults.ts";

export default module("tls", { faults, doctorChecks: tlsChecks });
