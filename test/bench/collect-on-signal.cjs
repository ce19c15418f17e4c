// Preloaded into a proxy with --expose-gc: SIGUSR2 has it collect its garbage, so that V8 counts what was allocated.
const { writeSync } = require("node:fs");

process.on("SIGUSR2", () => {
  globalThis.gc?.();
  writeSync(1, "collected on signal\n");
});
