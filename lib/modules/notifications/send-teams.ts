import { post } from "../sinks/post.ts";
import type { Message } from "./message.ts";
import type { NoticeSeverity } from "./notice.ts";
import type { Send } from "./sender.ts";

/** Sends an Adaptive Card to a webhook of a Teams workflow. */
export const sendTeams: Send = async (app, { url = "" }, message, signal) => {
  const body = JSON.stringify(teamsMessage(message));
  await post(app, { url: await app.secrets.resolve(url), headers: {}, body }, signal);
};

const COLORS: Readonly<Record<NoticeSeverity, string>> = { info: "Accent", warning: "Warning", critical: "Attention" };
/** Maximum number of items, because Teams limits the size of a message. */
const MAX_ITEMS = 20;

/** Texts are runs of a `RichTextBlock`, which are not interpreted as Markdown. */
export function teamsMessage({ title, items }: Message) {
  const body = items.slice(0, MAX_ITEMS).map(({ severity, title: heading, text, url }) => ({
    type: "Container",
    separator: true,
    items: [
      richText({ text: heading, weight: "Bolder", color: COLORS[severity] }),
      ...(text === "" ? [] : [richText({ text })]),
      { type: "ActionSet", actions: [{ type: "Action.OpenUrl", title: "Open in the panel", url }] },
    ],
  }));
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    fallbackText: title,
    body,
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content }],
  };
}

const richText = (run: object) => ({ type: "RichTextBlock", inlines: [{ type: "TextRun", ...run }] });
