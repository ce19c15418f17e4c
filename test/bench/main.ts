/**
 * `npm run bench [-- hop memory start search sensitive store counts suggest sandbox panel detect stall arguments]`: measures, prints JSON. Ratios of one run count, not the
 * figures themselves; nothing here passes or fails. Words that name no part choose rows of one: `npm run bench -- stall records`.
 */
import { benchArguments } from "./arguments.ts";
import { benchCounts } from "./counts.ts";
import { benchDetect } from "./detect.ts";
import { benchHop, benchMemory } from "./hop.ts";
import { benchPanel } from "./panel.ts";
import { benchSandbox } from "./sandbox.ts";
import { benchSearch } from "./search.ts";
import { benchSensitive } from "./sensitive.ts";
import { benchStall } from "./stall.ts";
import { benchStart } from "./start.ts";
import { benchStore } from "./store.ts";
import { benchSuggest } from "./suggest.ts";

const PARTS: Record<string, (wanted: string[]) => Promise<unknown>> = {
  sandbox: benchSandbox,
  hop: benchHop,
  memory: () => benchMemory(),
  start: benchStart,
  search: benchSearch,
  sensitive: benchSensitive,
  store: benchStore,
  counts: benchCounts,
  suggest: benchSuggest,
  panel: benchPanel,
  detect: benchDetect,
  arguments: () => benchArguments(),
  stall: (rows) => benchStall(rows),
};

const wanted = process.argv.slice(2);
const rows = wanted.filter((one) => !(one in PARTS));
for (const [name, run] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(JSON.stringify({ [name]: await run(rows) }, null, 2));
}
