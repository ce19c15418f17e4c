import type { Browser } from "../../core/app.ts";
import { reasonOf } from "../../core/base/fault.ts";
import { operatorSealingKeys, type SealingKeys } from "../../core/secrets/sealing-keys.ts";
import type { DocumentStore } from "../../core/store/store.ts";
import { beginSignIn } from "./begin-sign-in.ts";
import { createBrowser } from "./browser.ts";
import { checkAuthority } from "./check-authority.ts";
import { finishSignIn } from "./finish-sign-in.ts";
import { createFlows } from "./flows.ts";
import { drop, forget, forgetObtained } from "./forget.ts";
import { createHolders } from "./holders.ts";
import { noTokenCode } from "./identity-assertions.ts";
import type { OAuth } from "./oauth.ts";
import type { OAuthContext } from "./oauth-context.ts";
import { obtainForCall } from "./obtain.ts";
import type { Parts } from "./parts.ts";
import { createRecords } from "./records.ts";
import { sweepCredentials } from "./sweep.ts";
import { resourceOf } from "./well-known.ts";

interface OAuthOptions extends Omit<OAuthContext, "records" | "closing"> {
  documents: DocumentStore;
  /** Keys that seal all other records. */
  keys: SealingKeys;
  /** The key that seals the sign-ins of single users. */
  userKey?: () => Promise<Buffer | undefined>;
  /** Replaces the machine's browser, in tests. */
  browser?: Browser | undefined;
}

/** Creates the sign-in at upstream servers. Nothing is read, requested or loaded before it is needed. */
export function createOAuth(options: OAuthOptions): OAuth {
  const { clock, config, userKey } = options;
  const log = options.log.tagged("oauth");
  const closing = new AbortController();
  const shared = options.keys;
  const records = createRecords(options.documents, shared, userKey && operatorSealingKeys(userKey));
  const around: OAuthContext = { ...options, log, records, closing: closing.signal };
  const holders = createHolders(around);
  const flows = createFlows(around, holders);
  const parts: Parts = { ...around, holders, flows };
  const browser = options.browser ?? createBrowser(options.env);

  const stopFollowing = config.onChange((next, previous) => {
    const names = new Set(next.mcpServers.map(({ name }) => name));
    for (const { name } of previous.mcpServers)
      if (!names.has(name)) log.catch(`deleting the sign-in at "${name}"`, drop(parts, name));
  });

  const stopReloading = records.shared?.onChange((isOf) => {
    for (const holder of holders.all())
      if (isOf(holder.place)) log.catch(`reading the sign-in at "${holder.place.server}"`, holder.reload());
  });

  return {
    bearer: (server, url, owner) => holders.of(server, owner).bearer(resourceOf(url)),
    status: (server, owner) => holders.of(server, owner).status(),
    isSpent: (server, owner) => holders.of(server, owner).isSpent(),
    async load(server, owner) {
      const holder = holders.of(server, owner);
      await holder.read().catch((error: unknown) => {
        const suggestion = `unlock the keyring, or sign in again with: proxy upstream login ${server}`;
        const failure = { errorType: "code_flow_failed", reason: reasonOf(error), suggestion, correlationId: "" };
        holder.failed({ ...failure, at: clock.now() });
      });
      return holder.status();
    },
    obtain: (server, owner) => obtainForCall(holders.of(server, owner), clock.now()),
    retryFor(owner) {
      for (const holder of holders.all())
        if (holder.place.owner === owner && noTokenCode(holder.status().failure?.errorType)) holder.failed(undefined);
    },
    start: (server, how) => beginSignIn(parts, server, how),
    finish: (answer, expected) =>
      finishSignIn(parts, answer, expected && { server: expected.server, owner: expected.owner ?? "" }),
    forget: (server, signal, owner = "") => forget(parts, { server, owner }, signal),
    forgetObtained: (owner) => forgetObtained(parts, owner, closing.signal),
    sweep: (isGone) => sweepCredentials(parts, isGone),
    checkAuthority: (server) => checkAuthority(around, server),
    openBrowser: (url) => browser.open(url),
    close() {
      stopFollowing();
      stopReloading?.();
      closing.abort(new Error("the proxy stops"));
      for (const holder of holders.all()) holder.stop();
      flows.close();
    },
  };
}
