import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/**
 * Returns the headers that sign the body of a webhook as Standard Webhooks 1.0.0 prescribes: HMAC-SHA256 over
 * `ID.TIMESTAMP.BODY`. The timestamp is part of the signature, so that a receiver can reject old messages.
 *
 * @param secret the key: `whsec_` and base64, or any other text as it is
 * @throws Error if the key is empty: then everybody could sign
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signWebhook(
  secret: string,
  { id, at, body }: { id: string; at: number; body: string },
): Readonly<Record<string, string>> {
  const key = secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), "base64") : Buffer.from(secret);
  if (key.length === 0) throw new Error("the key of the signatures is empty or, after whsec_, not base64");
  const timestamp = String(Math.floor(at / 1000));
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
