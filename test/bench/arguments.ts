import Ajv from "ajv/dist/2020.js";
import { compileSchema } from "#lib/core/base/json-schema/compile.ts";
import { callUpstreamTool } from "#lib/core/gateway/call.ts";
import { INTERNAL_CALLER } from "#lib/core/schema/caller.ts";
import { testApp } from "#test/kit/app.ts";
import { program, ready } from "#test/kit/mcp.ts";
import { round } from "./load.ts";

/** A schema as most tools have one. */
const SMALL = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1, maximum: 100 },
    mode: { enum: ["fast", "slow"] },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["path"],
  additionalProperties: false,
};
const FITTING = { path: "/home/me/notes", limit: 5, mode: "fast", tags: ["a", "b"] };
const WRONG = { pth: "/home/me/notes", limit: "5" };

const ROUNDS = 100_000;
const CALLS = 5000;

/**
 * What comparing arguments with a schema costs (µs of processor time), beside a whole call within the process and beside
 * a library that writes code; and the first look at a schema of 100,000 properties (ms).
 */
export async function benchArguments(): Promise<Record<string, number>> {
  const ours = compileSchema(SMALL);
  const theirs = new Ajv({ strict: false }).compile(SMALL);
  const checkUs = cpuUs(ROUNDS, () => ours(FITTING));
  const callUs = await callCostUs();
  const properties = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`p${i}`, { type: "string" }]));
  const wide = { type: "object", properties, additionalProperties: false };
  const from = performance.now();
  compileSchema(wide)({ p7: "x" });
  const wideMs = performance.now() - from;
  return {
    check_us: checkUs,
    check_generated_code_us: cpuUs(ROUNDS, () => theirs(FITTING)),
    refusal_us: cpuUs(ROUNDS / 10, () => ours(WRONG)),
    compile_and_check_us: cpuUs(ROUNDS / 10, () => compileSchema(SMALL)(FITTING)),
    compile_generated_code_us: cpuUs(50, () => new Ajv({ strict: false }).compile({ ...SMALL })),
    first_check_of_100000_properties_ms: round(wideMs),
    call_us: callUs,
    part_of_a_call: round(checkUs / callUs),
  };
}

function cpuUs(rounds: number, work: () => unknown): number {
  for (let i = 0; i < rounds / 5; i++) work();
  const before = process.cpuUsage();
  for (let i = 0; i < rounds; i++) work();
  const { user, system } = process.cpuUsage(before);
  return round((user + system) / rounds);
}

/** A call in this process, without HTTP in front of it. (µs) */
async function callCostUs(): Promise<number> {
  const app = await testApp({ servers: [program("up")] });
  try {
    await ready(app, "up");
    const { signal } = new AbortController();
    const by = { caller: INTERNAL_CALLER, origin: { source: "internal", requestId: "bench" } } as const;
    const calls = async () => {
      for (let i = 0; i < CALLS; i++)
        await callUpstreamTool(app, by, { id: "up:echo", args: { message: "hello" }, signal });
    };
    await calls();
    const before = process.cpuUsage();
    await calls();
    const { user, system } = process.cpuUsage(before);
    return round((user + system) / CALLS);
  } finally {
    await app.close();
  }
}
