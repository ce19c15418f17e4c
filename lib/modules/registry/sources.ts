import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import type { App } from "../../core/app.ts";
import { isInternalAddress } from "../../core/base/egress/address.ts";
import { isLoopback } from "../../core/base/host-port.ts";
import { scrubText } from "../../core/secrets/mask/text.ts";
import { maskUrl } from "../../core/secrets/mask/url.ts";
import { BUILTINS } from "./builtin.ts";
import { Fault } from "./faults.ts";
import { OFFICIAL } from "./protocols/protocols.ts";
import type { Source } from "./source.ts";

/** All sources: the built-in ones with the changes of the configuration, then the configured ones. */
export function sources({ config }: Pick<App, "config">): Source[] {
  const configured = new Map([...config.current().registries].reverse().map((one) => [one.id, one]));
  const overrideOf = (id: string): Partial<Source> => {
    const override = configured.get(id);
    if (!override) return {};
    const { name, description, url, servers_url, protocol, tags, requires_key, api_key } = override;
    return definedMembers({
      name: name || undefined,
      description: description || undefined,
      url: url || undefined,
      serversUrl: servers_url || undefined,
      protocol: protocol || undefined,
      tags,
      requiresKey: requires_key,
      apiKey: api_key || undefined,
    });
  };
  const builtIn = BUILTINS.map((one): Source => ({ ...one, ...overrideOf(one.id), provenance: "official" }));
  const custom = [...new Set(config.current().registries.map(({ id }) => id))]
    .filter((id) => !isBuiltin(id))
    .map((id): Source => {
      const override = overrideOf(id);
      const url = override.url ?? "";
      return {
        ...{ id, name: id, description: "", url, serversUrl: url, protocol: OFFICIAL, tags: [] },
        ...override,
        provenance: "custom",
      };
    });
  return [...builtIn, ...custom];
}

/** @throws Fault registry_not_found */
export function sourceOf(app: Pick<App, "config">, id: string): Source {
  const source = sources(app).find((one) => one.id === id);
  if (!source) throw new Fault("registry_not_found", { id });
  return source;
}

/**
 * Validates the URL of a source: https, a local file by path or `file:`, or http if the configuration allows registries
 * at private addresses.
 *
 * @throws Fault invalid_registry_url
 */
export function checkedUrl({ config }: Pick<App, "config">, text: string): URL {
  const refuse = (reason: string) => new Fault("invalid_registry_url", { url: shown(text.slice(0, 300)), reason });
  if (isAbsolute(text)) return pathToFileURL(text);
  if (!URL.canParse(text)) throw refuse("it is neither an https URL nor the absolute path of a file");
  const url = new URL(text);
  if (url.protocol === "file:") {
    if (url.host !== "") throw refuse("a file URL must have no host; write file:///path");
    return url;
  }
  const inward = config.current().allow_private_registry_fetch && isPrivate(url.hostname);
  if (url.protocol !== "https:" && !(inward && url.protocol === "http:"))
    throw refuse(
      url.protocol === "http:" && isLoopback(url.hostname)
        ? "it is not https; to allow http, set allow_private_registry_fetch in the configuration"
        : url.protocol === "http:" && config.current().allow_private_registry_fetch
          ? "it is not https, and allow_private_registry_fetch allows http only for private addresses"
          : "it is not https",
    );
  if (url.username || url.password)
    throw refuse("it contains a user name or password; use api_key in the configuration");
  url.hash = "";
  return url;
}

/** The entered text, masked as a URL if it is one. */
const shown = (text: string) => (URL.canParse(text) ? maskUrl(text) : scrubText(text));

/** Whether a host is private: an internal address, or a name that cannot be registered publicly. */
function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return isInternalAddress(host);
  return !host.includes(".") || /\.(?:local|localhost|internal|lan|home\.arpa)$/i.test(host);
}

/** Whether a source is local, so that reading it costs no request. */
export const isLocal = ({ serversUrl }: Source) => !/^https?:/i.test(serversUrl);

/** True for a registry that the program knows without configuration. */
export const isBuiltin = (id: string) => BUILTINS.some((one) => one.id === id);

/** Removes members that are undefined. */
export function definedMembers<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
