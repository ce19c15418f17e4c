import type { ChannelConfig } from "./config.ts";
import type { Send } from "./sender.ts";

/** Returns the function that sends through a channel. The code of each type is loaded only when it is used. */
export async function senderOf({ type }: ChannelConfig): Promise<Send> {
  switch (type) {
    case "webhook":
      return (await import("./send-webhook.ts")).sendWebhook;
    case "slack":
      return (await import("./send-slack.ts")).sendSlack;
    case "teams":
      return (await import("./send-teams.ts")).sendTeams;
    case "email":
      return (await import("./send-email.ts")).sendEmail;
    case "desktop":
      return (await import("./send-desktop.ts")).sendDesktop;
  }
}
