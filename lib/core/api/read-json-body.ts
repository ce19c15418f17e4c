import { BUSY_RETRY_MS, type ByteHold } from "../base/byte-budget.ts";
import { Fault } from "../base/fault.ts";
import { countParsedJsonMembers, countWrittenJsonMembers } from "../base/json-members.ts";
import { JsonTextError, parseJsonText } from "../base/json-text.ts";
import { JsonBoundError, parseJson } from "../base/parse-json.ts";

/** Default maximum size of a body. (bytes) */
const MAX_BODY_BYTES = 1 << 20;

/** Deepest nesting of a body. */
const MAX_DEPTH = 100;

/** In longer texts, the position of an error is not searched. (characters) */
const MAX_LOOKED_AT_CHARACTERS = 1 << 20;

/**
 * Reads a request body that must be one JSON object in which no key occurs twice.
 *
 * @param limit in bytes; reading stops there
 * @param hold the account on which the bytes are counted
 * @throws Fault body_too_large, server_busy, unsupported_media_type; invalid_request that says what is wrong and where
 */
export async function readJsonBody(
  request: Request,
  limit = MAX_BODY_BYTES,
  hold?: ByteHold,
): Promise<Record<string, unknown>> {
  refuseOtherTypes(request);
  return await objectOf(await read(request, limit, hold));
}

/** Like `readJsonBody`, but an empty body, whatever its type, is an empty object. */
export async function readOptionalJsonBody(
  request: Request,
  limit = MAX_BODY_BYTES,
  hold?: ByteHold,
): Promise<Record<string, unknown>> {
  const bytes = await read(request, limit, hold);
  if (bytes.length === 0) return {};
  refuseOtherTypes(request);
  return await objectOf(bytes);
}

async function objectOf(bytes: Uint8Array): Promise<Record<string, unknown>> {
  const text = decode(bytes);
  const object = parseJsonObject(text);
  // A key occurs twice: parsers differ in which of the values they use.
  if ((await countWrittenJsonMembers(text)) !== (await countParsedJsonMembers(object)))
    throw invalid(unreadable(whereBroken(text) ?? "an object contains a key twice"));
  return object;
}

/**
 * Rejects bodies of other types. A body without a type is accepted, because tools that people use by hand omit it. A
 * page of another origin can make a browser send such a request without a CORS preflight. That does no harm, because
 * the browser's cookie counts only for requests of the panel's pages (`authenticate/panel-session.ts`).
 */
function refuseOtherTypes(request: Request): void {
  const encoding = request.headers.get("content-encoding");
  if (encoding && !isPlain(encoding)) throw new Fault("unsupported_media_type", { encoding });
  const type = request.headers.get("content-type");
  if (type && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    throw new Fault("unsupported_media_type", { type, accepted: "application/json" });
}

/** True if a Content-Encoding leaves the body as it is. */
export function isPlain(encoding: string): boolean {
  return /^\s*(identity)?\s*$/i.test(encoding);
}

/**
 * Parses a text that must be one JSON object of limited depth, without `__proto__` keys and unpaired surrogates.
 * @throws Fault invalid_request
 */
export function parseJsonObject(text: string): Record<string, unknown> {
  if (text.trim() === "") throw invalid("the body is empty; send a JSON object");
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(
      `the body must be a JSON object, not ${value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`}`,
    );
  if (/__proto__|\\u/.test(text)) refuseTraps(value);
  return value as Record<string, unknown>;
}

/**
 * Reads the file in a multipart form.
 *
 * @param member the member of the form that contains the file
 * @param limit of the whole body, in bytes
 * @throws Fault body_too_large, unsupported_media_type, invalid_request
 */
export async function readUpload(request: Request, member: string, limit: number): Promise<Uint8Array> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    if (type === "") throw invalid(`send the file as "${member}" of a multipart form`);
    throw new Fault("unsupported_media_type", { type, accepted: "multipart/form-data" });
  }
  const body = await read(request, limit);
  const form = await new Response(Buffer.from(body), { headers: { "content-type": type } })
    .formData()
    .catch((cause: unknown) => {
      throw new Fault("invalid_request", { reason: "the body is not a well-formed multipart form" }, { cause });
    });
  const file = form.get(member);
  if (file === null) throw invalid(`the form has no "${member}"`);
  return typeof file === "string" ? Buffer.from(file, "utf8") : new Uint8Array(await file.arrayBuffer());
}

/**
 * Reads a form without files.
 *
 * @param limit of the body, in bytes
 * @throws Fault body_too_large, unsupported_media_type, invalid_request
 */
export async function readForm(request: Request, limit: number): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    throw new Fault("unsupported_media_type", { type: type || "none", accepted: "application/x-www-form-urlencoded" });
  return new URLSearchParams(decode(await read(request, limit)));
}

async function read(request: Request, limit: number, hold?: ByteHold): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const tooLarge = () => new Fault("body_too_large", { limit });
  const noRoom = () => new Fault("server_busy", { retryAfterMs: BUSY_RETRY_MS });
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > limit) throw tooLarge();
  // The declared size is counted at once. If it were counted as the bytes arrive, many concurrent uploads might all
  // fail midway.
  if (hold && !hold.add(declared)) throw noRoom();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, size);
    size += value.length;
    if (size > limit) throw tooLarge();
    if (hold && size > declared && !hold.add(value.length)) throw noRoom();
    chunks.push(value);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Fault("invalid_request", { reason: "the body is not valid UTF-8" }, { cause });
  }
}

function parse(text: string): unknown {
  try {
    return parseJson(text, { depth: MAX_DEPTH });
  } catch (cause) {
    if (cause instanceof JsonBoundError)
      throw new Fault("invalid_request", { reason: unreadable(cause.message) }, { cause });
    // The message of the JavaScript engine quotes the body and often does not contain the position.
    throw new Fault(
      "invalid_request",
      { reason: unreadable(whereBroken(text) ?? "a syntax error in a body that is too long to locate it") },
      { cause },
    );
  }
}

const unreadable = (why: string) => `the body cannot be read as JSON: ${why}`;

/**
 * Describes what is wrong with a text and where; undefined if the text is too long to search or only too deeply nested.
 */
function whereBroken(text: string): string | undefined {
  if (text.length > MAX_LOOKED_AT_CHARACTERS) return undefined;
  try {
    parseJsonText(text);
    return "it is nested too deep";
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return `${error.message} (line ${error.line}, column ${error.column})`;
  }
}

/**
 * Rejects a value that is dangerous for other code: a member `__proto__` changes a prototype if code copies it by
 * assignment, and an unpaired surrogate, which only an escape can produce, becomes another text in UTF-8.
 */
function refuseTraps(value: unknown): void {
  if (typeof value === "string" && /\p{Cs}/u.test(value))
    throw invalid("a string in the body contains an unpaired surrogate (\\ud800 to \\udfff)");
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, "__proto__")) throw invalid('the body contains a key "__proto__", which is not accepted');
  for (const [key, child] of Object.entries(value)) {
    refuseTraps(key);
    refuseTraps(child);
  }
}

const invalid = (reason: string) => new Fault("invalid_request", { reason });
