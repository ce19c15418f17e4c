import { isDeepStrictEqual } from "node:util";
import { canonicalJson } from "../base/canonical.ts";
import { isJsonObject } from "../base/json-object.ts";
import type { Icon, McpObject } from "../schema/mcp.ts";
import { MAX_TOOL_DEPTH } from "../schema/tool.ts";

// Reads members that items of several kinds have. The values come from servers, so they are checked.

/** Limits of `_meta`: its nesting, and the bytes of its JSON. */
const MAX_META_DEPTH = 20;
const MAX_META_BYTES = 32 * 1024;
const MAX_ICONS = 8;
const MAX_ICON_SIZES = 16;
/** Maximum length of an icon's URL, and of an image in a data URL (UTF-16 units). */
const MAX_ICON_URL = 2048;
const MAX_ICON_DATA = 32 * 1024;

/**
 * True if all texts, keys, numbers and elements of a value together have fewer than `most` characters. The function
 * stops counting at that number.
 */
export function hasFewerChars(value: unknown, maxChars: number): boolean {
  let charsLeft = maxChars;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    charsLeft -= typeof one === "string" ? one.length : 4;
    if (charsLeft <= 0) return false;
    if (Array.isArray(one)) {
      if (one.length > charsLeft) return false;
      open.push(...one);
    } else if (isJsonObject(one))
      for (const key in one) {
        charsLeft -= key.length;
        if (charsLeft <= 0) return false;
        open.push(one[key]);
      }
  }
  return true;
}

/** Returns the valid icons of an item; `fault` is called if others are left out. */
export function icons(value: unknown, fault: (why: string) => void): Icon[] | undefined {
  if (value === undefined) return undefined;
  const all = Array.isArray(value) ? value : [];
  const good = all.slice(0, MAX_ICONS).flatMap((icon) => iconOf(icon) ?? []);
  if (!isDeepStrictEqual(good, value))
    fault(
      `of its icons, the proxy uses only ${MAX_ICONS} with an https or data:image address and the members src, mimeType, sizes and theme`,
    );
  return good.length > 0 ? good : undefined;
}

function iconOf(icon: unknown): Icon | undefined {
  if (!isJsonObject(icon)) return undefined;
  const { src, mimeType, sizes, theme } = icon;
  if (typeof src !== "string" || !isIconAddress(src)) return undefined;
  const isType = typeof mimeType === "string" && /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(mimeType);
  return {
    src,
    ...(isType && { mimeType }),
    ...(Array.isArray(sizes) && { sizes: sizes.slice(0, MAX_ICON_SIZES).filter(isIconSize) }),
    ...((theme === "light" || theme === "dark") && { theme }),
  };
}

/** Plain http is not accepted, because a client that shows the list would fetch the icon unencrypted. */
function isIconAddress(src: string): boolean {
  if (src.length <= MAX_ICON_URL && /^https:\/\/\S+$/i.test(src)) return URL.canParse(src);
  return src.length <= MAX_ICON_DATA && /^data:image\/[\w.+-]{1,64}[;,]\S*$/i.test(src);
}

const isIconSize = (size: unknown): size is string =>
  typeof size === "string" && /^(?:\d{1,5}x\d{1,5}|any)$/.test(size);

/** Returns the `_meta` of an item; if it is invalid, `fault` is called and the result is undefined. */
export function meta(value: unknown, fault: (why: string) => void): McpObject | undefined {
  if (value === undefined) return undefined;
  if (isJsonObject(value) && isSmall(value)) return value;
  fault(
    `its _meta is not an object, is larger than ${MAX_META_BYTES} bytes, or nested more than ${MAX_META_DEPTH} deep`,
  );
  return undefined;
}

function isSmall(value: McpObject): boolean {
  try {
    return Buffer.byteLength(canonicalJson(value, MAX_META_DEPTH)) <= MAX_META_BYTES;
  } catch {
    return false;
  }
}

/**
 * True if a definition contains a secret. All texts are searched at once, because few definitions contain one. `hide`
 * also recognises the JSON form of a secret.
 */
export function holdsSecret(definition: object, hide: (text: string) => string): boolean {
  const text = JSON.stringify(definition);
  return hide(text) !== text;
}

/** Returns the value with the secrets hidden in every text, also in keys. */
export function hidden(value: unknown, hide: (text: string) => string, left = MAX_TOOL_DEPTH + 1): unknown {
  if (left < 0) throw new RangeError(`nested more than ${MAX_TOOL_DEPTH} deep`);
  if (typeof value === "string") return hide(value);
  if (Array.isArray(value)) return value.map((item) => hidden(item, hide, left - 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [hide(key), hidden(item, hide, left - 1)]));
}

/** Returns an object with the member, or without it if the value is undefined. */
export function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
