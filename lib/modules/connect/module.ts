import { module } from "../../core/extension/module.ts";

export default module("connect", { needs: ["tls", "vault"] });
