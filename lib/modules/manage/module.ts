import { module } from "../../core/extension/module.ts";

export default module("manage", { needs: ["registry", "scan"] });
