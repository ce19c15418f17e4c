import { scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import { isKey } from "../../core/config/edition.ts";
import { edition } from "./edition.ts";

/** Where the key stands when the configuration names none (spec 001 §2.6). */
const FALLBACK = "${env:SERVICE_CRED_KEY}";

/**
 * What can only be found wrong when references are followed is found at the start: a secret without a value, a key that
 * is none.
 *
 * @throws Fault config_invalid
 */
export async function checkEdition(app: Pick<App, "config" | "secrets">): Promise<void> {
  const block = edition(app);
  if (!block) return;
  await app.secrets.resolve(block.oauth.client_secret).catch((cause) => {
    throw wrong("oauth.client_secret", (cause as Error).message, cause);
  });
  await credentialKey(app);
}

/**
 * The key that users' credentials at upstream servers are encrypted with; the environment's only where the configuration
 * has none.
 *
 * @returns 32 bytes; undefined where there is no key, and nothing is stored
 * @throws Fault config_invalid
 */
export async function credentialKey({ config, secrets }: Pick<App, "config" | "secrets">): Promise<Buffer | undefined> {
  const said = edition({ config })?.credential_encryption_key ?? "";
  const text =
    said === ""
      ? await secrets.resolve(FALLBACK).catch(() => "")
      : await secrets.resolve(said).catch((cause) => {
          throw wrong("credential_encryption_key", (cause as Error).message, cause);
        });
  if (text === "") return undefined;
  return isKey(text) ? Buffer.from(text.trim(), "base64") : stretched(text);
}

const stretch = promisify(scrypt) as (text: string, salt: string, length: number) => Promise<Buffer>;

/** What people think of instead of a key is made dear to guess. */
const stretched = (text: string) => stretch(text, "proxy credential_encryption_key", 32);

function wrong(field: string, reason: string, cause?: unknown): Fault {
  return new Fault("config_invalid", { reason: `server_edition: ${field}: ${reason}` }, { cause });
}
