import { requestRoute } from "#lib/client/client.ts";
import { isJsonObject, type JsonObject } from "#lib/core/base/json-object.ts";
import { globals as globalsOf } from "../args.ts";
import type { NameKind } from "../command.ts";
import { daemon } from "../daemon.ts";
import { flagsIn } from "./flags-in.ts";

/** How long a shell waits for the names (ms). */
const TIMEOUT_MS = 1500;
/** Maximum number of names. */
const MAX_NAMES = 1000;

interface Source {
  route: string;
  /** The list in the response, and the member with the name. */
  list: string;
  name: string;
  /** Query that keeps the response small. */
  query?: Record<string, string>;
}

const LIMIT = String(MAX_NAMES);
const SOURCES: Readonly<Record<Exclude<NameKind, "tools">, Source>> = {
  servers: { route: "GET /api/v1/servers", list: "servers", name: "name", query: { fields: "name" } },
  tokens: { route: "GET /api/v1/tokens", list: "tokens", name: "name", query: { fields: "name" } },
  profiles: { route: "GET /api/v1/profiles", list: "profiles", name: "name" },
  clients: { route: "GET /api/v1/connect", list: "", name: "id" },
  secrets: { route: "GET /api/v1/secrets", list: "secrets", name: "name", query: { fields: "name", limit: LIMIT } },
  registries: { route: "GET /api/v1/registries", list: "registries", name: "id", query: { fields: "id" } },
};

/**
 * The names that complete a word, from the running proxy that the line selects. A tool's server comes first, as
 * `server:`; after the colon, its tools. Empty if no proxy answers in time, because a shell can show no error.
 *
 * @param kind the kind of names, as a completion script passes it
 * @param word the word so far
 * @param line the words of the line, for the flags that select the proxy
 */
export async function completeNames(
  [kind = "", word = "", ...line]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  try {
    const send = daemon(globalsOf(flagsIn(line)), { env });
    const read = async ({ route, list, name, query }: Source, params?: Record<string, string>) => {
      const { text } = await requestRoute(send, route, { query, params }, { timeoutMs: TIMEOUT_MS });
      return namesIn(JSON.parse(text), list, name);
    };
    const found = kind === "tools" ? await tools(read, word) : await read(SOURCES[kind as keyof typeof SOURCES]);
    return found.filter((name) => name.startsWith(word) && /^[^\s\p{Cc}]+$/u.test(name)).slice(0, MAX_NAMES);
  } catch {
    return [];
  }
}

type Read = (source: Source, params?: Record<string, string>) => Promise<string[]>;

async function tools(read: Read, word: string): Promise<string[]> {
  const colon = word.indexOf(":");
  if (colon > 0) return toolsOf(read, word.slice(0, colon));
  const servers = (await read(SOURCES.servers)).filter((name) => name.startsWith(word));
  return servers.length === 1 ? toolsOf(read, servers[0]!) : servers.map((name) => `${name}:`);
}

async function toolsOf(read: Read, server: string): Promise<string[]> {
  const route = "GET /api/v1/servers/{name}/tools";
  const query = { fields: "name", limit: LIMIT };
  return (await read({ route, list: "tools", name: "name", query }, { name: server })).map(
    (tool) => `${server}:${tool}`,
  );
}

function namesIn(answer: unknown, list: string, name: string): string[] {
  const data: unknown = isJsonObject(answer) ? answer.data : undefined;
  const rows: unknown = list === "" ? data : isJsonObject(data) ? data[list] : undefined;
  if (!Array.isArray(rows)) return [];
  return rows.filter(isJsonObject).map((row: JsonObject) => String(row[name]));
}
