import { Fault } from "../../../core/base/fault.ts";
import { isJsonObject } from "../../../core/base/json-object.ts";
import { type Client, type Entry, type Format, lookUp, readServers, type Servers } from "../client.ts";
import { CLIENTS } from "../clients.ts";
import { Malformed, parse } from "../document.ts";
import { shape } from "../shape.ts";

/** One server of a configuration. `project` is set if the entry applies to a single project. */
export type FoundEntry = Entry & { readonly project?: string };

/** The servers that a configuration names. */
interface Found {
  /** A client's id, or `json`, `toml`, `yaml`. */
  readonly format: string;
  readonly formatName: string;
  readonly entries: readonly FoundEntry[];
  /** Entries that describe no server. */
  readonly unread: readonly { readonly name: string; readonly reason: string }[];
}

/** The keys under which an unknown client's servers are looked up, the most specific first. */
const PLACES: readonly (readonly string[])[] = [
  ["mcpServers"],
  ["mcp_servers"],
  ["context_servers"],
  ["mcp", "servers"],
  ["servers"],
  ["amp.mcpServers"],
  ["extensions"],
  ["mcp"],
  [],
];

const NAMES: Readonly<Record<Format, string>> = { json: "JSON", jsonc: "JSON", toml: "TOML", yaml: "YAML" };

/**
 * Reads the servers from a client's configuration, or from any text in the format of a client: a map or a list, under
 * one of the usual keys or at the top level.
 *
 * @param format a client's id, or `json`, `toml`, `yaml`; detected if absent
 * @throws Fault invalid_request for a text that cannot be parsed or contains no servers
 */
export function findServers(text: string, format?: string): Found {
  const client = CLIENTS.find(({ id }) => id === format);
  if (client) {
    const document = parsed(client.format, text);
    return withProjects({ format: client.id, formatName: client.name, ...readServers(client, document) }, document);
  }
  if (format !== undefined && !(format in NAMES))
    throw new Fault("invalid_request", {
      reason: `"${format}" is not a known format; use json, toml, yaml or one of: ${CLIENTS.map(({ id }) => id).join(", ")}`,
    });
  const kind = (format as Format | undefined) ?? guess(text);
  const document = parsed(kind, text);
  for (const place of PLACES) {
    const found = withProjects({ format: kind, formatName: NAMES[kind], ...readAt(document, place) }, document);
    if (found.entries.length > 0) return found;
  }
  throw new Fault("invalid_request", {
    reason: `no servers found; the proxy looks for them under ${PLACES.slice(0, -1)
      .map((place) => place.join("."))
      .join(", ")}`,
  });
}

function readAt(document: unknown, place: readonly string[]): Servers {
  const existing = lookUp(document, place);
  const client = { at: () => place, shape: shape(), ...(Array.isArray(existing) && { list: true as const }) };
  // `read` only uses the place of the servers and the shape of an entry.
  return readServers(client as unknown as Client, document);
}

/**
 * Adds the servers of single projects. One client stores them by project folder, beside the servers for all projects.
 */
function withProjects(found: Found, document: unknown): Found {
  const projects = lookUp(document, ["projects"]);
  if (!isJsonObject(projects)) return found;
  const further = Object.keys(projects).flatMap((project) =>
    readAt(document, ["projects", project, "mcpServers"]).entries.map((entry) => ({ ...entry, project })),
  );
  return { ...found, entries: [...found.entries, ...further] };
}

/** Detects the format by the first characters: JSON, then TOML for a table or an assignment, otherwise YAML. */
function guess(text: string): Format {
  const body = text.replace(/^\uFEFF/, "").trimStart();
  if (/^(\{|\/\/|\/\*)/.test(body)) return "json";
  return /^\s*(\[[^\]]+\]\s*$|[\w.-]+\s*=)/m.test(body) ? "toml" : "yaml";
}

function parsed(format: Format, text: string): unknown {
  try {
    const document = parse(format, text);
    if (isJsonObject(document)) return document;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new Fault("invalid_request", {
      reason: `the text to import cannot be read as ${NAMES[format]}: ${error.message}`,
    });
  }
  throw new Fault("invalid_request", { reason: `it contains no ${NAMES[format]} object` });
}
