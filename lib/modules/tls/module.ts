import { module } from "../../core/extension/module.ts";
import { tlsChecks } from "./checks.ts";

export default module("tls", { doctorChecks: tlsChecks });
