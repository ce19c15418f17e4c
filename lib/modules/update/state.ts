import { part } from "../../core/app.ts";
import { installation, installChannel } from "./channel.ts";
import { createUpdates } from "./create.ts";
import type { Updates } from "./updates.ts";

/** The check for newer releases. */
export const updates = part<Updates>(
  "updates",
  ({ config, egress, clock, log, boot }) => {
    const installed = async () => installChannel(await installation());
    return createUpdates({ config, egress, clock, log, boot, installed, automatic: boot.automatic });
  },
  (opened) => opened.close(),
);
