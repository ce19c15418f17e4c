import { setTimeout as sleep } from "node:timers/promises";
import type { Replicas } from "#test/e2e/replicas.ts";
import { browse, type Guarded } from "#test/kit/sign-in.ts";
import { until } from "#test/kit/upstream.ts";
import { type CallLoad, startNewerLoad } from "./call-load.ts";

/** How tokens of a server with short-lived ones were renewed. */
export interface RenewalCounts {
  readonly renewals: number;
  /** Refresh tokens that were used twice although no replica was killed between or shortly before the two uses. */
  readonly doubled: string[];
  /**
   * Refresh tokens that were used again after a replica was killed. That replica may have used the token and ended
   * before it could store the answer, which nothing can prevent. Each with the kills of that time.
   */
  readonly afterKill: string[];
  /** How often a person had to sign in again, because the token that a killed replica had just got was lost. */
  readonly signInsLost: number;
}

/** Lifetime of the server's access tokens, so that there are many renewals. (s) */
const TOKEN_S = 8;
/** On a busy machine a request of a replica that was killed may be read so much later. (ms) */
const SLOW_MS = 2000;
/** A replica that waits for one that was killed renews at the latest after this time. (ms) */
const CLAIM_MS = 35_000;

interface GuardedLoad {
  readonly calls: CallLoad;
  stop(): Promise<RenewalCounts>;
}

/**
 * Signs in at a server whose tokens last a few seconds, and calls it over all replicas; signs in again when it must.
 *
 * @param kills the times of kills so far (ms)
 */
export async function startGuardedLoad(
  replicas: Replicas,
  guarded: Guarded,
  kills: readonly number[],
): Promise<GuardedLoad> {
  await guarded.control({ ttl: TOKEN_S });
  await signIn(replicas);
  const calls = startNewerLoad({ url: `${replicas.url}/mcp/all`, tool: "guarded__read", clients: 2, pauseMs: 200 });
  let signInsLost = 0;
  let isSignedIn = true;
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      await sleep(1000);
      const server = await replicas.rest("GET /servers/guarded").catch(() => undefined);
      const action = server?.server?.health?.action ?? server?.health?.action;
      if (action !== "login") continue;
      if (isSignedIn) signInsLost++;
      isSignedIn = await signIn(replicas).then(
        () => true,
        () => false,
      );
    }
  })();
  return {
    calls,
    async stop() {
      isStopped = true;
      await watching;
      await calls.stop();
      const { seen } = await guarded.control();
      const uses = new Map<string, number[]>();
      // A token whose use failed may be used again.
      for (const { grant_type, refresh_token = "", at, status } of seen)
        if (grant_type === "refresh_token" && (status === "200" || uses.has(refresh_token)))
          uses.set(refresh_token, [...(uses.get(refresh_token) ?? []), Number(at)]);
      const again = [...uses].filter(([, times]) => times.length > 1);
      const near = (times: number[]) =>
        kills.filter((at) => at >= times[0]! - SLOW_MS && at <= times.at(-1)!).map((at) => at - times[0]!);
      const isAfterKill = (times: number[]) => near(times).length > 0 && times.at(-1)! - times[0]! < CLAIM_MS;
      const shown = (times: number[]) =>
        `${times.map((at) => new Date(at).toISOString()).join(" and ")}; kills after ${near(times).join(", ")} ms`;
      return {
        renewals: uses.size,
        doubled: again.filter(([, times]) => !isAfterKill(times)).map(([, times]) => shown(times)),
        afterKill: again.filter(([, times]) => isAfterKill(times)).map(([, times]) => shown(times)),
        signInsLost,
      };
    },
  };
}

async function signIn(replicas: Replicas): Promise<void> {
  const { auth_url } = await replicas.rest("POST /servers/guarded/login");
  const page = await fetch(await browse(auth_url));
  await page.arrayBuffer();
  await until("the sign-in counts", async () => {
    const { servers } = await replicas.rest("GET /servers");
    return servers.some((one: { name: string; connected: boolean }) => one.name === "guarded" && one.connected);
  });
}
