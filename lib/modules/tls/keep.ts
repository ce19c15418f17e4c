import type { SecureContextOptions } from "node:tls";
import type { App } from "../../core/app.ts";
import { certificate, certificateEnd, certsDir, clientFiles, OWN_CLIENT, readPem } from "./files.ts";
import { certificateNames } from "./names.ts";
import { newClient, RENEW_MS, type ServerPair, serverPair } from "./pair.ts";

/** Interval between checks of the files (ms). */
const LOOK_MS = 3_600_000;
const OWN_CLIENT_DAYS = 397;

type KeepApp = Pick<App, "boot" | "config" | "clock" | "log">;

/**
 * Provides the listener's certificate: creates it if missing, renews it before it expires, and reads it again when the
 * files or the names change.
 *
 * @param use called with each new pair
 * @returns the first pair, and a function that ends the watch
 * @throws Fault tls_unusable
 */
export async function keepPair(
  app: KeepApp,
  use: (pair: SecureContextOptions) => void,
): Promise<{ first: ServerPair; end: () => void }> {
  const log = app.log.tagged("tls");
  const dir = certsDir(app);
  const look = async () => {
    const config = app.config.current();
    const clients = config.tls.require_client_cert;
    const pair = await serverPair({ dir, names: certificateNames(config), clients, now: app.clock.now(), log });
    if (clients) await keepOwnClient(app, dir);
    return pair;
  };
  const first = await look();
  let currentPair = first;
  let turn: Promise<unknown> = Promise.resolve();
  let over = false;
  const again = () => {
    turn = turn
      .then(async () => {
        if (over) return;
        const next = await look();
        if (over || (next.cert === currentPair.cert && next.key === currentPair.key && next.ca === currentPair.ca))
          return;
        use(next);
        currentPair = next;
        log.info("the listener now uses a new certificate");
      })
      // The previous certificate remains in use.
      .catch((error: Error) => log.error(`the certificate was not replaced: ${error.message}`));
  };
  const stopTimer = app.clock.every(LOOK_MS, again);
  const stopConfig = app.config.onChange((next, before) => {
    if (String(certificateNames(next)) !== String(certificateNames(before))) again();
  });
  return {
    first,
    end() {
      over = true;
      stopTimer();
      stopConfig();
    },
  };
}

/**
 * Creates the client certificate of this machine's command line, which needs it if it does not use the local socket.
 */
async function keepOwnClient({ clock, log }: KeepApp, dir: string): Promise<void> {
  const now = clock.now();
  const at = clientFiles(dir, OWN_CLIENT).cert;
  const there = await readPem(at);
  if (there !== undefined && certificateEnd(certificate(there, at)) - now > RENEW_MS) return;
  await newClient({ dir, name: OWN_CLIENT, days: OWN_CLIENT_DAYS, now, log: log.tagged("tls") }).catch((error: Error) =>
    log.warn(`the command line has no client certificate: ${error.message}`),
  );
}
