// Preloaded into a proxy: the first SIGUSR2 starts a CPU profile of the main thread, the second writes it to PROFILE_FILE.
const { renameSync, writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");

const INTERVAL_US = 200;
const file = process.env.PROFILE_FILE;
const session = new Session();
let isRunning = false;

/** Whoever reads the file finds it whole. @param {string} text */
function put(text) {
  writeFileSync(`${file}.tmp`, text);
  renameSync(`${file}.tmp`, file);
}

process.on("SIGUSR2", () => {
  if (isRunning) {
    session.post("Profiler.stop", (_, { profile }) => put(JSON.stringify(profile)));
    return;
  }
  isRunning = true;
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: INTERVAL_US });
  session.post("Profiler.start", () => put("started"));
});
