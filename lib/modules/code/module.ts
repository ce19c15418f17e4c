import { module } from "../../core/extension/module.ts";
import { config } from "./config.ts";
import { faults } from "./faults.ts";

export default module("code", { config, faults });
