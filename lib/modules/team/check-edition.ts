import type { App } from "../../core/app.ts";
import { Fault } from "../../core/base/fault.ts";
import { credentialKey } from "../oauth/user-key.ts";
import { currentEdition } from "./edition.ts";

/**
 * Checks at the start what validation of the configuration cannot: a secret without a value, and an invalid key.
 *
 * @throws Fault config_invalid
 */
export async function checkEdition(app: Pick<App, "config" | "secrets">): Promise<void> {
  const block = currentEdition(app);
  if (!block) return;
  await app.secrets.resolve(block.oauth.client_secret).catch((cause) => {
    throw wrong("oauth.client_secret", (cause as Error).message, cause);
  });
  await credentialKey(app);
}

function wrong(field: string, reason: string, cause?: unknown): Fault {
  return new Fault("config_invalid", { reason: `server_edition: ${field}: ${reason}` }, { cause });
}
