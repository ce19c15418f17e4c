import { createHmac } from "node:crypto";
import { type App, part } from "../../core/app.ts";
import { isJsonObject } from "../../core/base/json-object.ts";
import { KEY_AGREEMENT } from "./require-shared-key.ts";

/** Whether this replica has the API key of the others. */
export const apiKeyAgreement = part<{ differs: boolean }>("apiKeyAgreement", () => ({ differs: false }));

/**
 * Compares the API key with that of the replica that started last. With different keys, an administrator would be
 * refused at every other request behind a load balancer. The database has only a keyed hash of it.
 */
export async function compareApiKeys(app: App): Promise<void> {
  const { boot, store, secrets, log } = app;
  const key = await secrets.sealingKeys.forSealing();
  const macOf = (bytes: Buffer) =>
    createHmac("sha256", bytes).update(`${KEY_AGREEMENT}\0${boot.apiKey}`).digest("base64");
  const stored = store.meta.get(KEY_AGREEMENT);
  if (isJsonObject(stored) && typeof stored.key === "string") {
    const theirs = await secrets.sealingKeys.byId(stored.key).catch(() => undefined);
    if (theirs && macOf(theirs.bytes) !== stored.mac) {
      app.part(apiKeyAgreement).differs = true;
      log.warn("this replica has another api_key than the others; set the same key at all replicas and restart them");
    }
  }
  const value = { key: key.id, mac: macOf(key.bytes) };
  await store.meta.change(KEY_AGREEMENT, (now) =>
    isJsonObject(now) && now.key === value.key && now.mac === value.mac ? undefined : value,
  );
}
