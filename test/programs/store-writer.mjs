// Writes numbered records until it is killed: node store-writer.mjs <store bundle> <dir>
// Prints `ready`, then the number of each record as soon as it is acknowledged, and `swept <n>` for each sweep.
import { writeSync } from "node:fs";
import { createRequire } from "node:module";

const KEPT = 200;
const [bundle, dir] = process.argv.slice(2);
const { openStore, systemClock } = createRequire(import.meta.url)(bundle);
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, catch() {}, tagged: () => silent };
// Written synchronously: the output must be complete when the process is killed.
const say = (text) => writeSync(1, `${text}\n`);

const store = await openStore({ dir, clock: systemClock, log: silent });
let n = (await store.activity.select({}, { limit: 1 })).records[0]?.at ?? 0;
let swept = 0;
say("ready");
for (;;) {
  const group = Array.from({ length: 1 + Math.floor(Math.random() * 40) }, () => {
    const number = ++n;
    const id = String(number).padStart(12, "0");
    const response = "x".repeat(Math.floor(Math.random() * 3000));
    const record = { id, at: number, type: "tool_call", source: "mcp", status: "success", response };
    return store.activity.add(record).then(() => say(number));
  });
  const last = n;
  if (Math.random() < 0.3) void store.activity.addUp();
  await Promise.all([...group, store.meta.set("last", last), store.usage.count("a:b", Date.now())]);
  if (n - swept > 3 * KEPT) {
    await store.activity.sweep(0, KEPT);
    swept = n - KEPT;
    say(`swept ${swept}`);
  }
}
