/**
 * `npm run bench [-- part…]`: measures, prints JSON. Without a part it measures all goals and prints them as a table, with
 * `--save` also into docs/internals; `short` fails on a loss; the other parts only tell. Ratios of one run count, not the
 * figures themselves. Words that name no part choose rows of one: `npm run bench -- stall records`.
 */
import { benchArguments } from "./arguments.ts";
import { benchCluster } from "./cluster.ts";
import { benchCounts } from "./counts.ts";
import { benchDetect } from "./detect.ts";
import { benchFlame } from "./flame.ts";
import { benchGoals } from "./goals.ts";
import { benchHop, benchMemory } from "./hop.ts";
import { benchPanel } from "./panel.ts";
import { benchSandbox } from "./sandbox.ts";
import { benchSearch } from "./search.ts";
import { benchSensitive } from "./sensitive.ts";
import { benchShort } from "./short.ts";
import { benchStall } from "./stall.ts";
import { benchStart } from "./start.ts";
import { benchStore } from "./store.ts";
import { benchSuggest } from "./suggest.ts";
import { benchTelemetry } from "./telemetry.ts";
import { benchTelemetryBytes } from "./telemetry-bytes.ts";

const PARTS: Record<string, (wanted: string[]) => Promise<unknown>> = {
  goals: benchGoals,
  short: () => benchShort(),
  sandbox: benchSandbox,
  hop: benchHop,
  memory: () => benchMemory(),
  start: benchStart,
  search: benchSearch,
  sensitive: benchSensitive,
  store: benchStore,
  counts: benchCounts,
  cluster: benchCluster,
  flame: () => benchFlame(),
  suggest: benchSuggest,
  telemetry: benchTelemetry,
  "telemetry-bytes": benchTelemetryBytes,
  panel: benchPanel,
  detect: benchDetect,
  arguments: () => benchArguments(),
  stall: (rows) => benchStall(rows),
};

const given = process.argv.slice(2).filter((one) => !one.startsWith("--"));
const wanted = given.length > 0 ? given : ["goals"];
const rows = wanted.filter((one) => !(one in PARTS));
for (const [name, run] of Object.entries(PARTS)) {
  if (!wanted.includes(name)) continue;
  console.log(JSON.stringify({ [name]: await run(rows) }, null, 2));
}
