import * as v from "valibot";
import { endpoint } from "#lib/core/api/endpoint.ts";
import { ChannelStatusShape } from "#lib/modules/notifications/channel-status.ts";
import { notifications } from "#lib/modules/notifications/state.ts";

/** The ways in which people are notified, with what was sent. */
export default endpoint("GET /api/v1/notifications", {
  summary: "List the notification channels and their state",
  access: "admin",
  data: v.object({ channels: v.array(ChannelStatusShape) }),
  run: ({ app }) => ({ channels: app.part(notifications).list() }),
});
