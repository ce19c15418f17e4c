import type { Clock } from "../../core/base/clock.ts";
import { Fault, reasonOf } from "../../core/base/fault.ts";
import { isDamageFault, isDiskFault } from "../../core/store/disk-fault.ts";
import { SignInMissing, type UpstreamAuthorization } from "../../core/upstream/authorization.ts";
import { bearerChallenge, type Challenge } from "./challenge.ts";
import type { Credentials, Tokens } from "./credentials.ts";
import type { KeptCredentials } from "./kept-credentials.ts";
import { MIN_DELAY_MS, type Renewer } from "./renewer.ts";
import { isGoodAt, isRenewable } from "./sign-in-state.ts";

/** The credentials that connections send to their server, and the server's challenges. */
export interface ShownCredentials {
  /** The bearer token for a connection to this URL; tokens of another URL are not sent. */
  bearer(serverUrl: string): UpstreamAuthorization;
  /** The server's last challenge. */
  challenge(): Challenge | undefined;
}

/** @param obtain gets tokens without a person, for servers at which the proxy can do that */
export function createShownCredentials(
  clock: Clock,
  credentials: KeptCredentials,
  renewer: Renewer,
  obtain: () => Promise<boolean>,
): ShownCredentials {
  return new Shown(clock, credentials, renewer, obtain);
}

class Shown implements ShownCredentials {
  readonly credentials: KeptCredentials;
  readonly renewer: Renewer;
  readonly obtain: () => Promise<boolean>;
  lastChallenge: Challenge | undefined = undefined;
  private readonly clock: Clock;
  private header: { of: string; text: string } | undefined = undefined;

  constructor(clock: Clock, credentials: KeptCredentials, renewer: Renewer, obtain: () => Promise<boolean>) {
    this.obtain = obtain;
    this.clock = clock;
    this.credentials = credentials;
    this.renewer = renewer;
  }

  bearer(serverUrl: string): UpstreamAuthorization {
    return new Bearer(this, serverUrl);
  }

  challenge(): Challenge | undefined {
    return this.lastChallenge;
  }

  isGood(tokens: Tokens): boolean {
    return isGoodAt(tokens, this.clock.now());
  }

  ageMs(tokens: Tokens): number {
    return this.clock.now() - tokens.obtained_at;
  }

  headerOf(tokens: Tokens): string {
    if (this.header?.of !== tokens.access) this.header = { of: tokens.access, text: `Bearer ${tokens.access}` };
    return this.header.text;
  }
}

/** The bearer token for a connection to one URL. */
class Bearer implements UpstreamAuthorization {
  private readonly shown: Shown;
  private readonly serverUrl: string;

  constructor(shown: Shown, serverUrl: string) {
    this.shown = shown;
    this.serverUrl = serverUrl;
  }

  header(): string | undefined | Promise<string | undefined> {
    const { shown } = this;
    const { credentials } = shown;
    if (!credentials.isRead()) return credentials.read().then(() => this.header(), unreadable);
    const now = this.mine();
    if (now?.signed_out) throw new SignInMissing("a user signed out");
    const tokens = now?.tokens;
    if (!tokens) return undefined;
    if (shown.isGood(tokens)) return shown.headerOf(tokens);
    if (!isRenewable(now)) return undefined;
    return this.renewed().then(() => this.header());
  }

  async handleRefusal(header: string | undefined, responses: string | undefined): Promise<boolean> {
    const { shown } = this;
    shown.lastChallenge = bearerChallenge(responses) ?? shown.lastChallenge;
    await shown.credentials.read();
    const record = this.mine();
    const tokens = record?.tokens;
    if (header === undefined) return (!tokens || !shown.isGood(tokens)) && (await shown.obtain());
    if (!tokens || record?.signed_out) return false;
    if (shown.headerOf(tokens) !== header) return shown.isGood(tokens) || isRenewable(record);
    // If a token that was just issued is rejected, a new one would be rejected too.
    const ageMs = shown.ageMs(tokens);
    const isNew = ageMs >= 0 && ageMs < MIN_DELAY_MS;
    if (isNew && record.grant) throw new Error(`it rejects the token that the proxy just got (${record.grant})`);
    if (!isRenewable(record) || isNew) return false;
    await this.renewed();
    const now = this.mine()?.tokens;
    return now !== undefined && shown.headerOf(now) !== header;
  }

  missingScopes(responses: string | undefined): string | undefined {
    const { shown } = this;
    const found = bearerChallenge(responses);
    if (found?.error !== "insufficient_scope") return undefined;
    // The missing scopes are requested in addition to those granted.
    if (found.resourceMetadata !== undefined)
      shown.lastChallenge = { ...shown.lastChallenge, resourceMetadata: found.resourceMetadata };
    const needs = (found.scope ?? "").split(" ").filter(Boolean).slice(0, 50);
    const now = this.mine();
    const all = [...new Set([...(now?.needs ?? []), ...needs])];
    if (now && all.length !== now.needs?.length) {
      // Set in memory at once, for a sign-in that follows; stored so that it survives a restart.
      shown.credentials.foresee({ ...now, needs: all });
      shown.credentials.change((then) => ({ ...then, needs: all })).catch(() => {});
    }
    return needs.join(" ");
  }

  private mine(): Credentials | undefined {
    const record = this.shown.credentials.now();
    return record?.authority?.server_url === this.serverUrl ? record : undefined;
  }

  private renewed(): Promise<void> {
    return this.shown.renewer.hurried().catch((error: unknown) => {
      if (this.mine()?.ended) return;
      throw new Error(`its sign-in could not be renewed: ${reasonOf(error)}`, { cause: error });
    });
  }
}

/** A new sign-in replaces credentials that cannot be decrypted; a disk error is rethrown. */
function unreadable(error: unknown): never {
  const { cause } = error as { cause?: unknown };
  const isPassing = cause instanceof Fault && cause.code === "cluster_database_away";
  if (isPassing || (isDiskFault(cause) && !isDamageFault(cause))) throw error;
  throw new SignInMissing(reasonOf(error), { cause: error });
}
