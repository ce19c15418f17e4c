import { createHash } from "node:crypto";
import { rfc3339 } from "../../core/base/clock.ts";
import { post } from "../sinks/post.ts";
import { signWebhook } from "../sinks/sign-webhook.ts";
import type { Send } from "./sender.ts";

/** Sends the notices as JSON, signed like those of a webhook sink. */
export const sendWebhook: Send = async (app, { url = "", secret = "" }, { title, severity, items }, signal) => {
  const notices = items.map((item) => ({ ...item, at: rfc3339(item.at) }));
  const body = JSON.stringify({ title, severity, notices });
  // Another attempt with the same notices has the same id.
  const id = `notices-${createHash("sha256").update(body).digest("hex").slice(0, 32)}`;
  const headers = signWebhook(await app.secrets.resolve(secret), { id, at: app.clock.now(), body });
  await post(app, { url: await app.secrets.resolve(url), headers, body }, signal);
};
