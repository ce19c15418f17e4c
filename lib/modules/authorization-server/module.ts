import { mcpChallenge } from "../../core/extension/mcp-challenge.ts";
import { module, provide } from "../../core/extension/module.ts";
import { challengeFor, challengeForMore } from "./challenge.ts";
import { faults } from "./faults.ts";
import { startSweeping } from "./start-sweeping.ts";

export default module("authorization-server", {
  faults,
  needs: ["oauth", "team"],
  provides: [
    provide(mcpChallenge, (app) => ({
      forRequest: (request) => challengeFor(app, request),
      forMissing: (caller, permission) => challengeForMore(app, caller, permission),
    })),
  ],
  start: startSweeping,
});
