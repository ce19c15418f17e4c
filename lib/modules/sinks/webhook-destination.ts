import type { App } from "../../core/app.ts";
import type { SinkConfig } from "./config.ts";
import type { Destination } from "./destination.ts";
import { post } from "./post.ts";
import { resolveHeaders } from "./resolve-headers.ts";
import { signWebhook } from "./sign-webhook.ts";

/** Sends records to a URL, signed: `{"sink":"NAME","records":[…]}`. */
export async function openWebhookDestination(app: App, sink: SinkConfig): Promise<Destination> {
  const url = await app.secrets.resolve(sink.url ?? "");
  const secret = await app.secrets.resolve(sink.secret ?? "");
  const headers = await resolveHeaders(app, sink.headers);
  return {
    async deliver(records, signal) {
      const body = `{"sink":${JSON.stringify(sink.name)},"records":[${records.map(({ line }) => line).join(",")}]}`;
      // Another attempt with the same records has the same id.
      const id = `${records[0]!.id}-${records.at(-1)!.id}`;
      const signature = signWebhook(secret, { id, at: app.clock.now(), body });
      await post(app, { url, headers: { ...headers, ...signature }, body }, signal);
    },
    async close() {},
  };
}
