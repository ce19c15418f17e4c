import { module, provide } from "../../core/extension/module.ts";
import { upstreamCredentials } from "../../core/extension/upstream-credentials.ts";
import { config } from "./config.ts";
import { faults } from "./faults.ts";
import { oauth } from "./state.ts";

export default module("oauth", { config, faults, provides: [provide(upstreamCredentials, (app) => app.part(oauth))] });
