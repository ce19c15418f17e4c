import { nameIndex } from "#lib/core/policy/name-index.ts";
import { createSuggester } from "#lib/core/policy/suggester.ts";

const QUESTIONS = 100;
const ROUNDS = 20;

/** 10,000 tools, arranged in the ways that cost most. */
const FLEETS: Record<string, string[]> = {
  servers_200: ids((i) => `server_${i % 200}:list_things_${Math.floor(i / 200)}`),
  servers_1: ids((i) => `big:tool_number_${10_000 + i}`),
  servers_10000: ids((i) => `server-${10_000 + i}:go`),
  long_alike: ids((i) => `s:${"x".repeat(495)}${10_000 + i}`),
};
const ASKED: Record<string, (i: number, known: string) => string> = {
  unknown_servers: (i) => `unknown_${i}:list_things_${i}`,
  misspelt_servers: (i, known) => `x${i % 10}${known.slice(1)}`,
  misspelt_tools: (i, known) => `${known.slice(0, -3)}${String.fromCharCode(97 + (i % 26))}${known.slice(-2)}`,
  of_512_characters: (i) => `s:${"x".repeat(500)}${String(i).padStart(10, "0")}`,
  one_character: () => "s",
};

/** CPU that 100 unknown ids of one request cost among 10,000 tools (ms), indexes made before; and making them. */
export async function benchSuggest(): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const [fleet, known] of Object.entries(FLEETS)) {
    const byServer = new Map<string, string[]>();
    for (const id of known) {
      const server = id.slice(0, id.indexOf(":"));
      const list = byServer.get(server);
      if (list) list.push(id);
      else byServer.set(server, [id]);
    }
    const from = performance.now();
    const indexes = new Map([...byServer].map(([server, list]) => [server, nameIndex(list)]));
    figures[`${fleet}_index_ms`] = round(performance.now() - from);
    for (const [name, question] of Object.entries(ASKED)) {
      const costs = Array.from({ length: ROUNDS }, () => {
        const before = process.cpuUsage();
        const servers = [...byServer.keys()];
        const ask = createSuggester({ servers, index: (server) => indexes.get(server)!, visible: () => true });
        for (let i = 0; i < QUESTIONS; i++) ask(question(i, known[(i * 97) % known.length]!));
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      }).sort((a, b) => a - b);
      figures[`${fleet}_${name}_cpu_ms`] = round(costs[ROUNDS / 2]!);
      figures[`${fleet}_${name}_first_cpu_ms`] = round(costs.at(-1)!);
    }
  }
  return figures;
}

function ids(one: (i: number) => string): string[] {
  return Array.from({ length: 10_000 }, (_, i) => one(i));
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
