import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { type App, part } from "../../core/app.ts";
import { createMutex } from "../../core/base/mutex.ts";
import type { Edition } from "./edition.ts";
import { provider } from "./provider.ts";

/** Limits for the document with the keys (ms, bytes). */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;
/** How long the keys count, and how soon an unknown key makes the proxy fetch them again (ms). */
const FRESH_MS = 600_000;
const UNKNOWN_KEY_MS = 30_000;

interface Fetched {
  readonly at: number;
  readonly find: JWTVerifyGetKey;
}

const state = part<{ last: Fetched | undefined; turn: ReturnType<typeof createMutex> }>("identityKeys", () => ({
  last: undefined,
  turn: createMutex(),
}));

/**
 * Returns the keys with which the identity provider signs, as `jose` takes them. An unknown key fetches them again,
 * because the provider may have changed them, but not for every request that names one.
 *
 * @throws Fault sign_in_unavailable
 */
export function identityKeys(app: App, edition: Edition): JWTVerifyGetKey {
  return async (header, token) => {
    const { errors } = await import("jose");
    const { find } = await fetched(app, edition, FRESH_MS);
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return await (await fetched(app, edition, UNKNOWN_KEY_MS)).find(header, token);
    }
  };
}

async function fetched(app: App, edition: Edition, maxAgeMs: number): Promise<Fetched> {
  const held = app.part(state);
  using _turn = await turnOf(held);
  const now = app.clock.now();
  if (held.last && now - held.last.at < maxAgeMs) return held.last;
  const { createLocalJWKSet } = await import("jose");
  const { configuration } = await provider(app, edition);
  const answer = await app.egress.fetch(configuration.serverMetadata().jwks_uri!, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: "application/json" },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    redirects: 0,
    allow: [new URL(edition.oauth.issuer_url).host],
  });
  if (answer.status !== 200) throw new Error(`the keys of the identity provider: HTTP ${answer.status}`);
  held.last = { at: now, find: createLocalJWKSet(JSON.parse(answer.text) as JSONWebKeySet) };
  return held.last;
}

async function turnOf({ turn }: { turn: ReturnType<typeof createMutex> }): Promise<Disposable> {
  const release = await turn.hold();
  return { [Symbol.dispose]: release };
}
