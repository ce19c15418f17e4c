import type { App } from "../app.ts";
import { isLoopback } from "../base/host-port.ts";
import { isJsonObject } from "../base/json-object.ts";
import type { McpObject } from "../schema/mcp.ts";
import { isShallow } from "../upstream/protocol/depth.ts";

/** The params of a question that may be passed on to the client, or the reason why it may not. */
type ScreenedQuestion = { readonly params: McpObject } | { readonly refused: string };

/** Maximum length of a question that is passed on (characters of JSON). */
const MAX_QUESTION = 256 * 1024;

/** The settings that disable the questions of a server. */
const ALLOWED_BY = {
  "elicitation/create": "allow_elicitation",
  "sampling/createMessage": "allow_sampling",
  "roots/list": "allow_roots",
} as const;

/**
 * Decides whether an upstream's question may be passed on, and adapts it for the client. The person knows only this
 * proxy, so the message states which server asks. Texts are scanned like descriptions, and a URL must be https or
 * local.
 */
export function screenQuestion(
  app: Pick<App, "config" | "catalog">,
  server: string,
  method: string,
  given: McpObject,
): ScreenedQuestion {
  const entry = app.config.server(server);
  const setting = ALLOWED_BY[method as keyof typeof ALLOWED_BY];
  if (!entry || app.config.quarantined(entry)) return { refused: "the server is quarantined" };
  if (!setting) return { refused: "the question is of an unknown kind" };
  if (entry[setting] === false) return { refused: `${setting} is off for the server` };
  if (!isShallow(given)) return { refused: "the question is nested too deeply" };
  const params = withoutTransport(given);
  const text = JSON.stringify(params);
  if (text.length > MAX_QUESTION) return { refused: `the question has more than ${MAX_QUESTION} characters` };
  if (params.mode === "url" && !isOpenable(params.url))
    return { refused: "its address is neither https nor on this machine" };
  if (
    method !== "roots/list" &&
    app.catalog.scanInstructions(server, textsIn(params).join("\n")).verdict === "dangerous"
  )
    return { refused: "the scan finds the question dangerous" };
  if (method !== "elicitation/create" || typeof params.message !== "string") return { params };
  return { params: { ...params, message: `[${server}] ${params.message}` } };
}

/** Returns the question with the secrets of the server's definition replaced in every text. */
export function maskedQuestion(params: McpObject, mask: ((text: string) => string) | undefined): McpObject {
  if (!mask) return params;
  return JSON.parse(JSON.stringify(params), (_key, value) => (typeof value === "string" ? mask(value) : value));
}

/** Removes the progress token and the task, which are valid only on the connection to the server. */
function withoutTransport({ task: _, _meta: meta, ...params }: McpObject): McpObject {
  if (!isJsonObject(meta)) return params;
  const { progressToken: _token, ...rest } = meta;
  return Object.keys(rest).length === 0 ? params : { ...params, _meta: rest };
}

/** True if a person may be asked to open the URL: it must be encrypted or on this machine. */
function isOpenable(url: unknown): boolean {
  if (typeof url !== "string" || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname.replace(/^\[|\]$/g, "")));
}

/** Returns every text in a value, except keys. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
