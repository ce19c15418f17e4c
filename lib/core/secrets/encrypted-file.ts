import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { join } from "node:path";
import { createFileDurably, readBoundedFile, systemErrorCode, writeFileDurably } from "../base/file.ts";
import { makeFolder } from "../base/folder.ts";
import { isJsonObject } from "../base/json-object.ts";
import type { Keyring } from "./keyring.ts";

/** The content of `secrets.enc`: one sealed value per name. It reveals only the names and the lengths of the values. */
interface Sealed {
  version: 1;
  /** base64 of nonce (12 bytes), ciphertext, tag (16 bytes). */
  secrets: Map<string, string>;
}

const CIPHER = "aes-256-gcm";
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Keeps secrets in `secrets.enc`, encrypted with the key in `secrets.key` by AES-256-GCM. Both files are readable by
 * the owner only. Every entry has its own nonce, and its name is authenticated, so that entries cannot be exchanged.
 * Whoever can read the data directory can read the secrets; the encryption keeps them out of backups of the
 * configuration and off the screen.
 */
export function encryptedFile(dataDir: string): Keyring {
  const path = join(dataDir, "secrets.enc");
  const keyPath = join(dataDir, "secrets.key");

  const sealed = async (): Promise<Sealed> => parsed(await readIfAny(path), path);
  const key = async (mayMake: boolean): Promise<Buffer> => {
    let text = await readIfAny(keyPath);
    if (text === undefined && mayMake) {
      makeFolder(dataDir);
      await createFileDurably(keyPath, `${randomBytes(32).toString("base64")}\n`);
      text = await readIfAny(keyPath);
    }
    const bytes = Buffer.from(text?.trim() ?? "", "base64");
    if (bytes.length === 32) return bytes;
    throw new Error(
      `${keyPath} is ${text === undefined ? "missing" : "damaged"}, so ${path} cannot be decrypted; restore the key, or remove ${path} and store the secrets again`,
    );
  };
  const save = async (secrets: Map<string, string>) => {
    const document = { version: 1, secrets: Object.fromEntries(secrets) };
    await writeFileDurably(path, `${JSON.stringify(document, null, 2)}\n`);
  };

  return {
    async get(name) {
      const text = (await sealed()).secrets.get(name);
      return text === undefined ? undefined : unseal(await key(false), name, text, path);
    },
    async set(name, value) {
      const { secrets } = await sealed();
      secrets.set(name, seal(await key(secrets.size === 0), name, value));
      await save(secrets);
    },
    async delete(name) {
      const { secrets } = await sealed();
      if (!secrets.delete(name)) return false;
      await save(secrets);
      return true;
    },
  };
}

const bound = (name: string) => Buffer.from(`proxy secret 1\u0000${name}`);

function seal(key: Buffer, name: string, value: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(bound(name));
  const body = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64");
}

function unseal(key: Buffer, name: string, text: string, path: string): string {
  const bytes = Buffer.from(text, "base64");
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, 12)).setAAD(bound(name));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString("utf8");
  } catch (error) {
    throw new Error(`the secret "${name}" in ${path} is damaged or was encrypted with another key`, { cause: error });
  }
}

async function readIfAny(path: string): Promise<string | undefined> {
  try {
    return (await readBoundedFile(path, MAX_BYTES)).bytes.toString("utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function parsed(text: string | undefined, path: string): Sealed {
  if (text === undefined) return { version: 1, secrets: new Map() };
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is damaged`, { cause: error });
  }
  if (!isJsonObject(document) || document.version !== 1 || !isJsonObject(document.secrets))
    throw new Error(`${path} was written by another version or is damaged`);
  const entries = Object.entries(document.secrets).filter((e): e is [string, string] => typeof e[1] === "string");
  return { version: 1, secrets: new Map(entries) };
}
