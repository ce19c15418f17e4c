import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { notifications } from "#lib/modules/notifications/state.ts";

/** Sends one message that says it is a test, also within quiet hours. */
export default endpoint("POST /api/v1/notifications/{name}/test", {
  summary: "Send a test message through a notification channel",
  access: "admin",
  data: v.object({ channel: v.string(), sent: v.literal(true) }),
  faults: ["no_such_record", "notification_failed"],
  async run({ app, params: { name }, signal }) {
    await app.part(notifications).test(name, signal);
    return { channel: name, sent: true as const };
  },
});
