import { Fault } from "../base/fault.ts";
import { JsonTextError, parseJsonText } from "../base/json-text.ts";
import { parseJson } from "../base/parse-json.ts";

/** Largest body of an endpoint that does not say otherwise. (bytes) */
export const BODY_LIMIT = 1 << 20;

/** Deepest nesting of a body. */
const MAX_DEPTH = 100;

/**
 * Reads a request body that must be one JSON object.
 *
 * @param limit in bytes; reading stops there
 * @throws Fault body_too_large, unsupported_media_type, invalid_request naming what is wrong and where
 */
export async function readJson(request: Request, limit = BODY_LIMIT): Promise<Record<string, unknown>> {
  refuseOtherTypes(request);
  return parseObject(decode(await read(request, limit)));
}

/** As `readJson`; a body of no bytes, whatever its type is called, is an empty object. */
export async function readOptionalJson(request: Request, limit = BODY_LIMIT): Promise<Record<string, unknown>> {
  const bytes = await read(request, limit);
  if (bytes.length === 0) return {};
  refuseOtherTypes(request);
  return parseObject(decode(bytes));
}

function refuseOtherTypes(request: Request): void {
  const type = request.headers.get("content-type");
  if (type && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    throw new Fault("unsupported_media_type", { type });
}

/** Parses a text that must be one JSON object, not too deep and without `__proto__` keys or half characters. @throws Fault invalid_request */
export function parseObject(text: string): Record<string, unknown> {
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
 * Reads the file of a multipart form.
 *
 * @param member of the form
 * @param limit of the whole body, in bytes
 * @throws Fault body_too_large, unsupported_media_type, invalid_request
 */
export async function readUpload(request: Request, member: string, limit: number): Promise<Uint8Array> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    if (type === "") throw invalid(`send the file as "${member}" of a multipart form`);
    throw new Fault("unsupported_media_type", { type });
  }
  const body = await read(request, limit);
  const form = await new Response(Buffer.from(body), { headers: { "content-type": type } })
    .formData()
    .catch((cause: unknown) => {
      throw new Fault("invalid_request", { reason: "the body is no well-formed multipart form" }, { cause });
    });
  const file = form.get(member);
  if (file === null) throw invalid(`the form has no "${member}"`);
  return typeof file === "string" ? Buffer.from(file, "utf8") : new Uint8Array(await file.arrayBuffer());
}

async function read(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw new Fault("body_too_large", { limit });
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, size);
    size += value.length;
    if (size > limit) {
      await reader.cancel().catch(() => undefined);
      throw new Fault("body_too_large", { limit });
    }
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
    return parseJson(text, MAX_DEPTH);
  } catch (cause) {
    // The engine's own message quotes the body and often leaves the place out.
    throw new Fault("invalid_request", { reason: `the body cannot be read as JSON: ${whereBroken(text)}` }, { cause });
  }
}

function whereBroken(text: string): string {
  try {
    parseJsonText(text);
    return "it is nested too deep";
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return `${error.message} (line ${error.line}, column ${error.column})`;
  }
}

/**
 * A member named `__proto__` is data for us and a trap for whatever copies it by assignment. Half a character, which
 * only an escape can bring in, becomes another text wherever it is written as UTF-8.
 */
function refuseTraps(value: unknown): void {
  if (typeof value === "string" && /\p{Cs}/u.test(value))
    throw invalid("a text in the body holds half of a surrogate pair (\\ud800 to \\udfff), which is no character");
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, "__proto__")) throw invalid('the body holds a key "__proto__", which is not accepted');
  for (const [key, child] of Object.entries(value)) {
    refuseTraps(key);
    refuseTraps(child);
  }
}

const invalid = (reason: string) => new Fault("invalid_request", { reason });
