import type { Clock } from "../../core/base/clock.ts";
import type { Egress } from "../../core/base/egress/egress.ts";
import type { LiveConfig } from "../../core/config/live-config.ts";
import type { EventBus } from "../../core/events/event-bus.ts";
import type { Logger } from "../../core/log/logger.ts";
import type { Secrets } from "../../core/secrets/secrets.ts";
import type { Authority, Client } from "./credentials.ts";
import { diagnostics } from "./diagnostics.ts";
import type { FlowName } from "./flow-fault.ts";
import type { Grant } from "./grants.ts";
import type { identityAssertions } from "./identity-assertions.ts";
import type { Records } from "./records.ts";
import type { Settings } from "./settings.ts";
import { resourceOf } from "./well-known.ts";

/** The services that all parts of the sign-in use. */
export interface OAuthContext {
  readonly config: LiveConfig;
  readonly secrets: Secrets;
  readonly egress: Egress;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly log: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly records: Records;
  /** The assertions of the company's identity provider. */
  readonly assertions: () => ReturnType<typeof identityAssertions.open>;
  /** Aborts when the proxy stops. */
  readonly closing: AbortSignal;
}

/** The names with which the faults of one sign-in at a server identify it. */
export function nameOf({ config }: OAuthContext, server: string, correlationId: string): FlowName {
  const { url = "" } = config.server(server) ?? {};
  return { server, correlationId, details: diagnostics(URL.canParse(url) ? resourceOf(new URL(url)) : "") };
}

/** The inputs of requests to an authorization server; they abort when the proxy stops. */
export function grantOf(
  { egress, clock, closing }: OAuthContext,
  about: { authority: Authority; client: Client; settings: Settings; signal?: AbortSignal },
): Grant {
  const { authority, client, settings, signal } = about;
  const ends = signal ? AbortSignal.any([signal, closing]) : closing;
  return { egress, authority, client, settings, signal: ends, now: clock.now() };
}
