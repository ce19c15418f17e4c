import { module } from "../../core/extension/module.ts";
import { faults } from "./faults.ts";

export default module("passkeys", { faults });
