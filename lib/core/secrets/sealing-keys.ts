import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { reasonOf } from "../base/fault.ts";
import { createFileDurably, readBoundedFile, systemErrorCode } from "../base/file.ts";
import { makeFolder } from "../base/folder.ts";
import type { Logger } from "../log/logger.ts";
import type { Keyring } from "./keyring.ts";

/** A key and its id. A sealed text contains the id of the key that opens it. */
export interface SealingKey {
  id: string;
  bytes: Buffer;
}

/** The keys that seal credentials. No key is read before its first use. */
export interface SealingKeys {
  /** Returns the current key for sealing; makes one if there is none. */
  forSealing(): Promise<SealingKey>;
  /** Returns the key with this id. @throws if it is not available; the error names the remedy */
  byId(id: string): Promise<SealingKey>;
}

/**
 * Keeps one key per data directory in the operating system's keyring or, if there is none, in the file
 * `credentials.key`, which is readable by its owner only.
 */
export function createSealingKeys(dataDir: string, openKeyring: () => Promise<Keyring>, log: Logger): SealingKeys {
  const path = join(dataDir, "credentials.key");
  // The space makes the entry differ from all names of secrets, which cannot contain one.
  const entry = `credentials ${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`;
  let keyring: Promise<Keyring | undefined> | undefined;
  let unusable = "";
  const ring = () => {
    keyring ??= openKeyring().catch((error: unknown) => {
      unusable = reasonOf(error);
      return undefined;
    });
    return keyring;
  };
  const fromFile = async (): Promise<SealingKey | undefined> => {
    try {
      return keyOf((await readBoundedFile(path, 1024)).bytes.toString("utf8"), path);
    } catch (error) {
      if (systemErrorCode(error) === "ENOENT") return undefined;
      throw error;
    }
  };
  const fromRing = async (): Promise<SealingKey | undefined> => {
    const text = await (await ring())?.get(entry);
    return text === undefined ? undefined : keyOf(text, "the keyring");
  };
  const make = async (): Promise<SealingKey> => {
    const text = randomBytes(32).toString("base64");
    try {
      const found = await ring();
      if (found) {
        await found.set(entry, text);
        return keyOf(text, "the keyring");
      }
    } catch (error) {
      unusable = reasonOf(error);
    }
    makeFolder(dataDir);
    await createFileDurably(path, `${text}\n`);
    log.info(
      `no keyring is available (${unusable}); stored sign-ins and responses are encrypted with the key in ${path}`,
    );
    return (await fromFile()) ?? keyOf(text, path);
  };

  let sealing: Promise<SealingKey> | undefined;
  return {
    forSealing() {
      sealing ??= fromFile()
        .then(async (key) => key ?? (await fromRing().catch(() => undefined)) ?? (await make()))
        .catch((error: unknown) => {
          sealing = undefined;
          throw error;
        });
      return sealing;
    },
    async byId(id) {
      const current = await sealing?.catch(() => undefined);
      if (current?.id === id) return current;
      for (const key of [await fromFile(), await fromRing()]) if (key?.id === id) return key;
      throw new Error(
        unusable
          ? `its key is in the keyring, which is not available: ${unusable}`
          : "its key is missing; sign in again",
      );
    },
  };
}

/**
 * Uses the operator's key (`credential_encryption_key`) for the stored credentials of users. No key is ever generated.
 *
 * @param find called for each use, so that a changed key takes effect at once
 */
export function operatorSealingKeys(find: () => Promise<Buffer | undefined>): SealingKeys {
  const needed = async (): Promise<SealingKey> => {
    const bytes = await find();
    if (!bytes) throw new Error("server_edition.credential_encryption_key is not set, so the sign-in cannot be stored");
    return { bytes, id: idOf(bytes) };
  };
  return {
    forSealing: needed,
    async byId(id) {
      const key = await needed();
      if (key.id !== id) throw new Error("it was encrypted with another credential_encryption_key; sign in again");
      return key;
    },
  };
}

/**
 * Uses keys that the operator provides: the first one seals, all of them open. So a key is replaced without a gap: put
 * the new one behind, then first, then remove the old one.
 *
 * @param find called for each use; returns at least one key
 */
export function sealingKeyRing(find: () => Promise<readonly Buffer[]>): SealingKeys {
  return {
    async forSealing() {
      const [bytes] = await find();
      return { bytes: bytes!, id: idOf(bytes!) };
    },
    async byId(id) {
      const bytes = (await find()).find((key) => idOf(key) === id);
      if (!bytes) throw new Error("it was encrypted with a key that is not configured; sign in again");
      return { bytes, id };
    },
  };
}

const idOf = (bytes: Buffer) =>
  createHash("sha256").update("credentials key id\0").update(bytes).digest("hex").slice(0, 16);

function keyOf(text: string, where: string): SealingKey {
  const bytes = Buffer.from(text.trim(), "base64");
  if (bytes.length !== 32) throw new Error(`the key of sign-ins in ${where} is damaged; remove it and sign in again`);
  return { bytes, id: idOf(bytes) };
}
