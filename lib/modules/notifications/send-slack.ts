import { post } from "../sinks/post.ts";
import type { Message } from "./message.ts";
import type { Send } from "./sender.ts";

/** Sends to an incoming webhook of Slack. */
export const sendSlack: Send = async (app, { url = "" }, message, signal) => {
  const body = JSON.stringify(slackMessage(message));
  await post(app, { url: await app.secrets.resolve(url), headers: {}, body }, signal);
};

/** Maximum number of blocks of a message is 50, and each item takes two. */
const MAX_ITEMS = 20;

/** Texts are of the type `plain_text`, so nothing in them becomes a link or a mention. */
export function slackMessage({ title, items }: Message) {
  const blocks = items.slice(0, MAX_ITEMS).flatMap(({ severity, title: heading, text, url }) => [
    { type: "section", text: plain([`[${severity}] ${heading}`, text].filter(Boolean).join("\n")) },
    { type: "actions", elements: [{ type: "button", text: plain("Open in the panel"), url }] },
  ]);
  return { text: escaped(title), blocks };
}

const plain = (text: string) => ({ type: "plain_text", text, emoji: false });

/** The three characters that Slack interprets in the text that notifications show. */
const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
