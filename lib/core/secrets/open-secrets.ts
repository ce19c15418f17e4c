import { type Clock, systemClock } from "../base/clock.ts";
import { Fault, reasonOf } from "../base/fault.ts";
import type { Logger } from "../log/logger.ts";
import { encryptedFile } from "./encrypted-file.ts";
import type { Keyring } from "./keyring.ts";
import { resolveReferences } from "./resolve-references.ts";
import { createSealingKeys } from "./sealing-keys.ts";
import { openSecretNames, type SecretBackend } from "./secret-names.ts";
import type { Secrets } from "./secrets.ts";

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** Maximum length of a value. (characters) */
const MAX_VALUE_CHARACTERS = 65_536;

export interface SecretsOptions {
  dataDir: string;
  env: Readonly<Record<string, string | undefined>>;
  log: Logger;
  clock?: Clock | undefined;
  /** Opens the keyring; called at the first use. */
  keyring: () => Promise<Keyring>;
}

/**
 * Keeps named secrets in the operating system's keyring or, if there is none, in an encrypted file in the data
 * directory. Nothing is loaded before the first use.
 */
export function openSecrets({ dataDir, env, log, clock = systemClock, keyring }: SecretsOptions): Secrets {
  const file = encryptedFile(dataDir);
  const index = openSecretNames(dataDir);
  let backend: ReturnType<Secrets["backend"]> = { kind: "keyring", reason: "not used yet" };
  let opened: Promise<Keyring | undefined> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  /** Opens the keyring once; undefined if there is none. */
  const open = () => {
    opened ??= keyring().then(
      (found) => {
        backend = { kind: "keyring" };
        return found;
      },
      (error: unknown) => {
        backend = { kind: "file", reason: reasonOf(error) };
        log.info(`no keyring is available (${reasonOf(error)}); secrets are stored in an encrypted file in ${dataDir}`);
        return undefined;
      },
    );
    return opened;
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work);
    queue = turn.catch(() => undefined);
    return turn;
  };
  /** Stores a value. Some keyrings accept only short values; a value that the keyring rejects is stored in the file. */
  const put = async (name: string, value: string): Promise<SecretBackend> => {
    const ring = await open();
    if (ring) {
      try {
        await ring.set(name, value);
        return "keyring";
      } catch (error) {
        log.warn(`the keyring rejected the secret "${name}" (${reasonOf(error)}); it is stored in the encrypted file`);
      }
    }
    await file.set(name, value);
    return "file";
  };
  const get = async (name: string): Promise<string | undefined> => {
    if (!NAME.test(name)) return undefined;
    const place = (await index.read()).get(name)?.place;
    if (place === "file") return await file.get(name);
    const ring = await open();
    if (!ring && place === "keyring")
      throw new Error(`it is stored in a keyring that is not available: ${backend.reason}`);
    // A name that is not in the index may have been put into the keyring with the tools of the system.
    return (await ring?.get(name)) ?? (await file.get(name));
  };

  return {
    resolve: (text) => resolveReferences(text, env, get),
    get,
    async set(name, value) {
      if (!NAME.test(name))
        throw new Fault("invalid_request", {
          reason: "a secret's name must have 1 to 128 letters, digits, dots, dashes or underscores",
        });
      if (value === "" || value.length > MAX_VALUE_CHARACTERS)
        throw new Fault("invalid_request", { reason: `a secret must have 1 to ${MAX_VALUE_CHARACTERS} characters` });
      await inTurn(async () => {
        const before = (await index.read()).get(name)?.place;
        const place = await put(name, value);
        await index.put(name, { place, updatedAt: clock.now() });
        if (before === "file" && place === "keyring") await file.delete(name);
      });
    },
    async delete(name) {
      if (!NAME.test(name)) return false;
      return await inTurn(async () => {
        const isIndexed = (await index.read()).has(name);
        const fromFile = await file.delete(name);
        const fromRing = (await (await open())?.delete(name)) ?? false;
        await index.remove(name);
        return isIndexed || fromFile || fromRing;
      });
    },
    async list() {
      return [...(await index.read()).keys()].sort();
    },
    async entries() {
      const all = [...(await index.read())].map(([name, { place, updatedAt }]) => ({
        name,
        backend: place,
        ...(updatedAt !== undefined && { updatedAt }),
      }));
      return all.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    backend: () => backend,
    sealingKeys: createSealingKeys(dataDir, keyring, log.tagged("secrets")),
    async confirmedBackend() {
      await open();
      return backend;
    },
  };
}
