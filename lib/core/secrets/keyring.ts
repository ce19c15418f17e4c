import { createHash } from "node:crypto";

/** Where secrets are kept by name. */
export interface Keyring {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<boolean>;
}

/**
 * The name under which a data directory's secrets stand in the operating system's keyring: those of the usual one under
 * `proxy`, those of any other apart, so that a demo or a test overwrites nobody's secrets.
 */
export function keyringService(dataDir: string, usual: string): string {
  return dataDir === usual ? "proxy" : `proxy-${createHash("sha256").update(dataDir).digest("hex").slice(0, 12)}`;
}

/** A keyring that asks its owner for a password may take this long. (ms) */
const TIMEOUT_MS = 30_000;
/** Is there a keyring at all? (ms) */
const PROBE_MS = 5000;

/**
 * The operating system's keyring: Keychain, Credential Manager, Secret Service.
 *
 * @param service what the secrets stand under
 * @throws where there is none, or none that answers
 */
export async function osKeyring(service: string): Promise<Keyring> {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  // The library would else fall back to the Linux kernel's keyring, which forgets everything at a restart.
  const entry = (name: string) => new AsyncEntry(service, name, { linux: { store: "secret-service" } });
  await within(PROBE_MS, (signal) => entry("probe").getPassword(signal));
  return {
    get: async (name) => (await within(TIMEOUT_MS, (signal) => entry(name).getPassword(signal))) ?? undefined,
    set: async (name, value) => await within(TIMEOUT_MS, (signal) => entry(name).setPassword(value, signal)),
    delete: async (name) => await within(TIMEOUT_MS, (signal) => entry(name).deleteCredential(signal)),
  };
}

/** The library's calls may not come back once they have begun, so the wait ends by itself. */
async function within<T>(ms: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => {
      stop.abort();
      fail(new Error(`the keyring did not answer within ${ms / 1000} seconds`));
    }, ms);
  });
  try {
    return await Promise.race([ask(stop.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
