import { createHash } from "node:crypto";

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}h1{font-size:1.4rem}code{overflow-wrap:anywhere}";

/** The page runs no scripts, loads nothing, cannot be framed, is not cached and sends no referrer. */
export const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
} as const;

export function signedInPage(server: string): string {
  return page("Signed in", [
    `The proxy can now use the server <strong>${text(server)}</strong> on your behalf.`,
    "You can close this window.",
  ]);
}

/**
 * The page about a failed sign-in. It does not contain the authorization server's text, because anybody can have
 * created the URL that led here. That text is only shown to the user who began the sign-in.
 *
 * @param about texts written by the proxy
 */
export function failedPage(about: { what: string; suggestion: string; correlationId?: string }): string {
  const { what, suggestion, correlationId = "" } = about;
  return page("Not signed in", [
    sentence(what),
    `What to do: ${text(suggestion)}.`,
    ...(correlationId === "" ? [] : [`Id in the log of the proxy: <code>${text(correlationId)}</code>.`]),
  ]);
}

const sentence = (words: string) => `${text(words.charAt(0).toUpperCase() + words.slice(1))}.`;

function page(title: string, paragraphs: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>
${paragraphs.map((one) => `<p>${one}</p>`).join("\n")}
</main></body>
</html>
`;
}

function text(plain: string): string {
  return plain.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
