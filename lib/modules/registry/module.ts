import { module } from "../../core/extension/module.ts";

export default module("registry", { needs: ["isolation", "scan", "vault"] });
