import { createHash } from "node:crypto";
import { reasonOf } from "../base/fault.ts";
import { awaitSecretService } from "./await-secret-service.ts";

/** Stores secrets by name. */
export interface Keyring {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<boolean>;
}

/**
 * Returns the service name under which the secrets of a data directory are in the operating system's keyring: `proxy`
 * for the default directory, a separate name for any other, so that a demo or a test cannot overwrite real secrets.
 */
export function keyringService(dataDir: string, usual: string): string {
  return dataDir === usual ? "proxy" : `proxy-${createHash("sha256").update(dataDir).digest("hex").slice(0, 12)}`;
}

/** Timeout of one keyring call, which may ask the user for a password. (ms) */
const TIMEOUT_MS = 30_000;
/** Timeout of the test whether a keyring exists. (ms) */
const PROBE_MS = 5000;

/**
 * Opens the operating system's keyring: Keychain, Credential Manager, Secret Service.
 *
 * @param service the service name of the secrets
 * @throws if there is no keyring, or if it does not respond
 */
export async function osKeyring(service: string, probeMs = PROBE_MS): Promise<Keyring> {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  const ask = <T>(ms: number, name: string, question: (entry: Entry, signal: AbortSignal) => Promise<T>) =>
    within(ms, async (signal) => {
      if (hasSecretService()) await awaitSecretService(process.env.DBUS_SESSION_BUS_ADDRESS ?? "", signal);
      // Without this option the library may use the Linux kernel's keyring, which loses everything at a restart.
      return await question(new AsyncEntry(service, name, { linux: { store: "secret-service" } }), signal);
    });
  await ask(probeMs, "probe", (entry, signal) => entry.getPassword(signal)).catch((error: unknown) => {
    throw new Error(inPlainWords(reasonOf(error)), { cause: error });
  });
  return {
    get: async (name) => (await ask(TIMEOUT_MS, name, (entry, signal) => entry.getPassword(signal))) ?? undefined,
    set: async (name, value) => await ask(TIMEOUT_MS, name, (entry, signal) => entry.setPassword(value, signal)),
    delete: async (name) => await ask(TIMEOUT_MS, name, (entry, signal) => entry.deleteCredential(signal)),
  };
}

type Entry = import("@napi-rs/keyring").AsyncEntry;

const hasSecretService = () => process.platform !== "darwin" && process.platform !== "win32";

/** The library names D-Bus and its build options where Linux has no keyring service, as on most servers. */
export function inPlainWords(reason: string, env: NodeJS.ProcessEnv = process.env): string {
  if (!/D-?Bus|secret.service/i.test(reason)) return reason;
  return env.DBUS_SESSION_BUS_ADDRESS
    ? `no keyring service answers in this session (${reason})`
    : "no keyring service can be reached, because this session has no D-Bus (DBUS_SESSION_BUS_ADDRESS is not set)";
}

/** Adds a timeout to a call of the library, which might otherwise never return. */
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
