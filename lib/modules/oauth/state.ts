import { part } from "../../core/app.ts";
import { createOAuth } from "./create.ts";
import { identityAssertions } from "./identity-assertions.ts";
import type { OAuth } from "./oauth.ts";
import { credentialKey } from "./user-key.ts";

/** Sign-in at upstream servers. */
export const oauth = part<OAuth>(
  "oauth",
  (app) => {
    const { boot, config, secrets, egress, store, events, clock, log } = app;
    return createOAuth({
      keys: secrets.sealingKeys,
      config,
      secrets,
      egress,
      documents: store.documents,
      events,
      clock,
      log,
      env: boot.env,
      assertions: () => app.part(identityAssertions),
      userKey: () => credentialKey(app),
      browser: boot.browser,
    });
  },
  (opened) => opened.close(),
);
