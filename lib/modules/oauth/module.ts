import { module, provide } from "../../core/extension/module.ts";
import { upstreamCredentials } from "../../core/extension/upstream-credentials.ts";
import { oauth } from "./state.ts";

export default module("oauth", { provides: [provide(upstreamCredentials, (app) => app.part(oauth))] });
