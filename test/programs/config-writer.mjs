/**
 * Changes a configuration as fast as it can until it is killed: `node config-writer.mjs <bundle of
 * lib/core/config/open-config.ts> <config file>`. Prints the number of every change when it is confirmed.
 */
import { writeSync } from "node:fs";

const [bundle, path] = process.argv.slice(2);
const { openConfig } = await import(bundle);
const quiet = () => undefined;
const log = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet, catch: quiet, tagged: () => log };
const clock = { now: Date.now, sleep: quiet, after: () => quiet, every: () => quiet };
const config = await openConfig({
  path,
  init: true,
  env: {},
  clock,
  log,
  events: { publish: quiet, subscribe: () => quiet },
});

for (let n = config.current().activity_max_records + 1; ; n++) {
  await config.update((draft) => {
    draft.activity_max_records = n;
    draft.mcpServers = Array.from({ length: 50 }, (_, i) => ({ name: `s${i}`, command: "x", args: [String(n)] }));
  }, "writer");
  writeSync(1, `${n}\n`);
}
