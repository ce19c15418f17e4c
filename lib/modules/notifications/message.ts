import { schemeOf, webUrl } from "../../core/api/web-url.ts";
import type { App } from "../../core/app.ts";
import { plural } from "../../core/base/plural.ts";
import { scrubText } from "../../core/secrets/mask/text.ts";
import { NOTICE_SEVERITIES, type Notice, type NoticeSeverity } from "./notice.ts";

/** One notice, as it is shown to people. */
export interface MessageItem {
  readonly kind: string;
  readonly severity: NoticeSeverity;
  readonly title: string;
  readonly text: string;
  /** The page of the panel that shows it. */
  readonly url: string;
  readonly at: number;
  readonly count: number;
}

/** What is sent through a channel at once. */
export interface Message {
  readonly title: string;
  /** The severity of the most severe item. */
  readonly severity: NoticeSeverity;
  readonly items: readonly MessageItem[];
}

/** Longest title and text; they may contain texts of servers. (characters) */
const MAX_TITLE = 200;
const MAX_TEXT = 600;

/** Makes the message for one or more notices. Secrets in their texts are masked. */
export function messageOf(app: Pick<App, "config" | "boot">, notices: readonly Notice[]): Message {
  const origin = panelOrigin(app);
  const items = notices.map(
    ({ kind, severity, title, text, path, at, count }): MessageItem => ({
      kind,
      severity,
      title: shown(title, MAX_TITLE) + (count > 1 ? ` (${count} times)` : ""),
      text: shown(text, MAX_TEXT),
      url: `${origin}/ui${path}`,
      at,
      count,
    }),
  );
  const severity = NOTICE_SEVERITIES.findLast((one) => items.some((item) => item.severity === one)) ?? "info";
  const title = items.length === 1 ? items[0]!.title : plural(items.length, "notification");
  return { title: `proxy: ${title}`, severity, items };
}

/** The text of a message, for channels that show plain text. */
export function messageText({ items }: Message): string {
  return items
    .map(({ severity, title, text, url }) => [`[${severity}] ${title}`, text, url].filter(Boolean).join("\n"))
    .join("\n\n");
}

/** Returns scheme, host and port of the panel for links. */
function panelOrigin({ config, boot }: Pick<App, "config" | "boot">): string {
  const settings = config.current();
  return (
    settings.notifications.panel_url ??
    settings.server_edition?.public_url ??
    webUrl(boot.listenAddr, schemeOf(settings))
  );
}

/** Control characters become spaces, and a long text is cut. */
function shown(text: string, maxLength: number): string {
  const line = scrubText(text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
