import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import { type App, part } from "../../core/app.ts";
import type { ConnectPlan } from "./plan.ts";

/** One key for each instance, made when first needed and never kept (spec 000 §2.7). */
const previewKey = part("previewKey", () => randomBytes(32));

/** Binds a preview to what was there and what is to be written: file, entry and new entry. */
export function preconditionToken(app: App, plan: ConnectPlan): string {
  const { client, path, name, found, existing, raw } = plan;
  const mac = createHmac("sha256", app.part(previewKey));
  const parts = [
    client.id,
    path,
    name,
    found.state,
    found.state === "file" ? found.bytes : "",
    JSON.stringify(existing ?? null),
    JSON.stringify(raw),
  ];
  // With their lengths, so that no two lists of parts read the same.
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:`).update(part);
  return mac.digest("base64url");
}

/** Whether a token is that of this very plan. */
export function fits(app: App, plan: ConnectPlan, token: string): boolean {
  return timingSafeEqual(digest(token), digest(preconditionToken(app, plan)));
}

const digest = (text: string) => hash("sha256", text, "buffer");
