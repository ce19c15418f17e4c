import { callerSource } from "../../core/extension/caller-source.ts";
import { module, provide } from "../../core/extension/module.ts";
import { userConnections } from "../../core/extension/user-connections.ts";
import { identityAssertions } from "../oauth/identity-assertions.ts";
import { assertIdentity } from "./assert-identity.ts";
import { bearerCaller, isBearer } from "./bearer.ts";
import { userNow } from "./caller.ts";
import { checkEdition } from "./check-edition.ts";
import { teamChecks } from "./checks.ts";
import { signInPage } from "./credentials.ts";
import { editionOf } from "./edition.ts";
import { faults } from "./faults.ts";
import { ownState } from "./own-state.ts";
import { connectsAlone, ownUpstream } from "./own-upstream.ts";
import { scopeOfUser } from "./scope.ts";
import { startSweepingPeople } from "./sweep-people.ts";
import { userSession } from "./user-session.ts";

export default module("team", {
  faults,
  needs: ["oauth"],
  doctorChecks: teamChecks,
  check: checkEdition,
  start: startSweepingPeople,
  provides: [
    provide(callerSource, (app) => ({
      ofBrowser: (sent) => userSession(app, sent),
      // Only for REST: a user's bearer token is not valid for MCP (spec 001 §5).
      ofBearer: (token, path) => (isBearer(token) && !/^\/mcp(\/|$)/.test(path) ? bearerCaller(app, token) : undefined),
      refreshed: (caller) => userNow(app, caller),
      admits: ({ disabledAt }) => disabledAt === undefined && editionOf(app.config.current()) !== undefined,
      scopeOf: (user) => scopeOfUser(app.config.current(), user),
    })),
    provide(userConnections, (app) => ({
      connectsAlone: (caller, server) => connectsAlone(app, caller, server),
      stateOf: (caller, server) => ownState(app, caller, server),
      connect: (caller, server, signal) => ownUpstream(app, caller, server, signal),
      signInPage: () => signInPage(app),
    })),
    provide(identityAssertions, (app) => ({
      request: (owner, target, signal) => assertIdentity(app, owner, target, signal),
    })),
  ],
});
