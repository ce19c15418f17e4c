import { scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import { isEncryptionKey } from "../../core/config/edition.ts";

/** The reference of the key if the configuration has none (spec 001 §2.6). */
const FALLBACK = "${env:SERVICE_CRED_KEY}";

/**
 * The key that encrypts users' credentials at upstream servers: the configured one, or that of the environment.
 *
 * @returns 32 bytes; undefined if no key is set, in which case nothing is stored
 * @throws Fault config_invalid
 */
export async function credentialKey({ config, secrets }: Pick<App, "config" | "secrets">): Promise<Buffer | undefined> {
  const { server_edition } = config.current();
  const configuredKey = (server_edition?.enabled && server_edition.credential_encryption_key) || "";
  const text =
    configuredKey === ""
      ? await secrets.resolve(FALLBACK).catch(() => "")
      : await secrets.resolve(configuredKey).catch((cause) => {
          const reason = `server_edition: credential_encryption_key: ${(cause as Error).message}`;
          throw new Fault("config_invalid", { reason }, { cause });
        });
  if (text === "") return undefined;
  return isEncryptionKey(text) ? Buffer.from(text.trim(), "base64") : stretched(text);
}

const stretch = promisify(scrypt) as (text: string, salt: string, length: number) => Promise<Buffer>;

/** Stretches a passphrase, so that guessing it is expensive. */
const stretched = (text: string) => stretch(text, "proxy credential_encryption_key", 32);
