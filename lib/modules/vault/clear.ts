import type { NewServer } from "../../core/config/server-patch.ts";
import { maskArgs } from "../../core/secrets/mask/args.ts";
import { isSecretHeader, isSecretName, isSecretVariable } from "../../core/secrets/mask/names.ts";
import { scrubText } from "../../core/secrets/mask/text.ts";
import { joinUrl, maskUrlParts, splitUrl, type UrlParts } from "../../core/secrets/mask/url.ts";
import { secretName } from "./name.ts";

/** A secret that stands in clear in a server's definition, and where. */
export interface Clear {
  /** Such as `env.TOKEN`, `headers.Authorization`, `args.2`, `url?token`, `oauth.client_secret`. */
  readonly field: string;
  readonly value: string;
  /** What it would be called in the keyring, unless that is taken. */
  readonly name: string;
  /** The text it stands in, and the same with something else in its place. */
  readonly text: string;
  filled(by: string): string;
  /** The server with something else in its place. */
  replace(server: NewServer, by: string): NewServer;
}

/**
 * What of a server's definition stands in clear in the configuration file, by the rules of everything that is shown
 * masked (spec 000 §2.9): by its name, or by its shape. What holds a reference already is left alone.
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

/** Most secrets are the whole text they stand in. */
const whole = (found: Finder): Clear => ({ text: found.value, filled: (by) => by, ...found });

function inMap(server: NewServer, field: "env" | "headers", isSecret: (name: string) => boolean): Clear[] {
  return Object.entries(server[field] ?? {}).flatMap(([key, value]): Clear[] => {
    if (!value || isFilledIn(value) || !(isSecret(key) || scrubText(value) !== value)) return [];
    return [
      whole({
        field: `${field}.${key}`,
        value,
        name: secretName(server.name, key),
        replace: (from, by) => ({ ...from, [field]: { ...from[field], [key]: by } }),
      }),
    ];
  });
}

/** A flag that says what its value is. */
const NAMING_FLAG = /^(?:--[A-Za-z][\w.-]*|-[A-Za-z]|-[a-z]+(?:[-_.][a-z]+)*)$/;

/** Only where the whole argument is the secret, or what follows its `=`. */
function inArgs(server: NewServer): Clear[] {
  const args = server.args ?? [];
  const masked = maskArgs(args);
  return args.flatMap((arg, i) => {
    if (masked[i] === arg || isFilledIn(arg)) return [];
    const assigned = /^-{0,2}[A-Za-z_][\w.-]*=/.exec(arg)?.[0] ?? "";
    // Where that is masked as well it is no name: base64 ends in "=".
    const head = masked[i]!.startsWith(assigned) ? assigned : "";
    const value = arg.slice(head.length);
    if (value === "") return [];
    const before = args[i - 1] ?? "";
    // The argument before it may be a secret itself, or end in one (`-pSecret`).
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

/** The pieces of an address that are masked where it is shown: user, password, parameters, parts of the path. */
function inUrl(server: NewServer): Clear[] {
  const { url } = server;
  const parts = url ? splitUrl(url) : undefined;
  if (!url || !parts) return [];
  const shown = maskUrlParts(parts);
  const found: Clear[] = [];
  const add = (field: string, value: string, put: (from: UrlParts, by: string) => UrlParts) => {
    if (value === "" || isFilledIn(value)) return;
    // Pieces stay as they are written, escapes included, so that the address with all in place is the same text.
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
  if (shown.user !== parts.user) add("url-user", parts.user, (from, by) => ({ ...from, user: by }));
  if (parts.password !== undefined && shown.password !== parts.password)
    add("url-password", parts.password, (from, by) => ({ ...from, password: by }));
  parts.query?.forEach(({ name, value }, at) => {
    if (value === undefined || shown.query?.[at]?.value === value) return;
    add(`url?${name}`, value, (from, by) => ({
      ...from,
      query: (from.query ?? []).map((one, i) => (i === at ? { name: one.name, value: by } : one)),
    }));
  });
  const [real, masked] = [parts.path.split("/"), shown.path.split("/")];
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
      whole({
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
      whole({
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

/** It holds a reference already. */
const isFilledIn = (value: string) => /\$\{(?:env|keyring):[^}]*\}/.test(value);
