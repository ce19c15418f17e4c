import type { NewServer } from "../../core/config/server-patch.ts";
import { maskArgs } from "../../core/secrets/mask/args.ts";
import { isSecretHeader, isSecretName, isSecretVariable } from "../../core/secrets/mask/names.ts";
import { scrubText } from "../../core/secrets/mask/text.ts";
import { joinUrl, maskUrlParts, splitUrl, type UrlParts } from "../../core/secrets/mask/url.ts";
import { secretName } from "./name.ts";

/** A secret in clear text in a server's definition, and its place. */
export interface Clear {
  /** The place, such as `env.TOKEN`, `headers.Authorization`, `args.2`, `url?token`, `oauth.client_secret`. */
  readonly field: string;
  readonly value: string;
  /** Name for the keyring, unless it is taken. */
  readonly name: string;
  /** The text that contains it. `filled` returns that text with a replacement for the secret. */
  readonly text: string;
  filled(by: string): string;
  /** Returns the server with a replacement for the secret. */
  replace(server: NewServer, by: string): NewServer;
}

/**
 * Finds the secrets in clear text in a server's definition, by the rules of masking (spec 000 §2.9): by name or by
 * form. Values that contain a reference are ignored.
 */
export function clearSecrets(server: NewServer): Clear[] {
  return [
    ...inMap(server, "env", isSecretVariable),
    ...inMap(server, "headers", isSecretHeader),
    ...inArgs(server),
    ...inUrl(server),
    ...inOAuth(server),
  ];
}

type Finder = Omit<Clear, "text" | "filled"> & Partial<Pick<Clear, "text" | "filled">>;

/** For a secret that is the complete text. */
const wholeValue = (found: Finder): Clear => ({ text: found.value, filled: (by) => by, ...found });

function inMap(server: NewServer, field: "env" | "headers", isSecret: (name: string) => boolean): Clear[] {
  return Object.entries(server[field] ?? {}).flatMap(([key, value]): Clear[] => {
    if (!value || isFilledIn(value) || !(isSecret(key) || scrubText(value) !== value)) return [];
    return [
      wholeValue({
        field: `${field}.${key}`,
        value,
        name: secretName(server.name, key),
        replace: (from, by) => ({ ...from, [field]: { ...from[field], [key]: by } }),
      }),
    ];
  });
}

/** A flag whose name describes its value. */
const NAMING_FLAG = /^(?:--[A-Za-z][\w.-]*|-[A-Za-z]|-[a-z]+(?:[-_.][a-z]+)*)$/;

/** Finds secrets that are a complete argument, or the part after its `=`. */
function inArgs(server: NewServer): Clear[] {
  const args = server.args ?? [];
  const masked = maskArgs(args);
  return args.flatMap((arg, i) => {
    if (masked[i] === arg || isFilledIn(arg)) return [];
    const assigned = /^-{0,2}[A-Za-z_][\w.-]*=/.exec(arg)?.[0] ?? "";
    // If the part before `=` is masked too, it is not a name: base64 ends with "=".
    const head = masked[i]!.startsWith(assigned) ? assigned : "";
    const value = arg.slice(head.length);
    if (value === "") return [];
    const before = args[i - 1] ?? "";
    // The previous argument can be a secret itself, or end with one (`-pSecret`).
    const flag = head || (masked[i - 1] === before && NAMING_FLAG.test(before) ? before : "");
    return [
      {
        field: `args.${i}`,
        value,
        name: secretName(server.name, flag.replace(/^-+|=$/g, "") || `arg-${i}`),
        text: arg,
        filled: (by: string) => head + by,
        replace: (from: NewServer, by: string) => ({
          ...from,
          args: (from.args ?? []).map((one, at) => (at === i ? head + by : one)),
        }),
      },
    ];
  });
}

/** The parts of a URL that masking hides: user, password, parameters, path segments. */
function inUrl(server: NewServer): Clear[] {
  const { url } = server;
  const parts = url ? splitUrl(url) : undefined;
  if (!url || !parts) return [];
  const maskedParts = maskUrlParts(parts);
  const found: Clear[] = [];
  const add = (field: string, value: string, put: (from: UrlParts, by: string) => UrlParts) => {
    if (value === "" || isFilledIn(value)) return;
    // Parts keep their original spelling, including escapes, so that the URL with all parts restored is the same text.
    const filled = (text: string, by: string) => {
      const now = splitUrl(text);
      return now ? joinUrl(put(now, by)) : text;
    };
    found.push({
      field,
      value,
      name: secretName(server.name, field.replace(/^url\W?/, "url-")),
      text: url,
      filled: (by) => filled(url, by),
      replace: (from, by) => ({ ...from, url: filled(from.url ?? url, by) }),
    });
  };
  if (maskedParts.user !== parts.user) add("url-user", parts.user, (from, by) => ({ ...from, user: by }));
  if (parts.password !== undefined && maskedParts.password !== parts.password)
    add("url-password", parts.password, (from, by) => ({ ...from, password: by }));
  parts.query?.forEach(({ name, value }, at) => {
    if (value === undefined || maskedParts.query?.[at]?.value === value) return;
    add(`url?${name}`, value, (from, by) => ({
      ...from,
      query: (from.query ?? []).map((one, i) => (i === at ? { name: one.name, value: by } : one)),
    }));
  });
  const [real, masked] = [parts.path.split("/"), maskedParts.path.split("/")];
  real.forEach((segment, at) => {
    if (real.length !== masked.length || segment === masked[at]) return;
    add(`url-path-${at}`, segment, (from, by) => ({ ...from, path: from.path.split("/").with(at, by).join("/") }));
  });
  return found;
}

function inOAuth(server: NewServer): Clear[] {
  const { oauth } = server;
  if (!oauth) return [];
  const found: Clear[] = [];
  const { client_secret: secret, extra_params: extra } = oauth as Record<string, unknown>;
  if (typeof secret === "string" && secret !== "" && !isFilledIn(secret))
    found.push(
      wholeValue({
        field: "oauth.client_secret",
        value: secret,
        name: secretName(server.name, "client_secret"),
        replace: (from, by) => ({ ...from, oauth: { ...from.oauth, client_secret: by } }),
      }),
    );
  for (const [key, value] of Object.entries((extra ?? {}) as Record<string, unknown>)) {
    if (typeof value !== "string" || value === "" || isFilledIn(value)) continue;
    if (!isSecretName(key) && scrubText(value) === value) continue;
    found.push(
      wholeValue({
        field: `oauth.extra_params.${key}`,
        value,
        name: secretName(server.name, key),
        replace: (from, by) => {
          const before = (from.oauth?.extra_params ?? {}) as Record<string, unknown>;
          return { ...from, oauth: { ...from.oauth, extra_params: { ...before, [key]: by } } };
        },
      }),
    );
  }
  return found;
}

/** Whether a value contains a reference. */
const isFilledIn = (value: string) => /\$\{(?:env|keyring):[^}]*\}/.test(value);
