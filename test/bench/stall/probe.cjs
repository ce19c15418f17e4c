// Preloaded into a proxy under measurement: asks the event loop for a turn every millisecond, and remembers how long it
// had to wait. A stall counts by the processor time that the main thread spent meanwhile, so that whatever else runs on
// the machine does not count. Answers over the IPC channel. With STALL_PROFILE=1 it says what the worst stall was made of.
const fs = require("node:fs");
const { Session } = require("node:inspector");
const { PerformanceObserver, performance } = require("node:perf_hooks");

const EVERY_MS = 1;
const RSS_EVERY_MS = 10;
/** Time between two samples of a profile (µs). */
const SAMPLE_US = 400;

const wallMs = () => Number(process.hrtime.bigint() / 1000n) / 1000;
const cpuMs = mainThreadTime();
const session = process.env.STALL_PROFILE === "1" ? new Session() : undefined;

const KINDS = { 1: "scavenge", 4: "full", 8: "step of a full one", 16: "weak callbacks" };
/** Begin and end of each garbage collection that stopped the main thread (ms, as `wallMs`). */
let pauses = [];
const toWall = wallMs() - performance.now();
const collections = new PerformanceObserver((list) => {
  for (const { startTime, duration, detail } of list.getEntries())
    pauses.push({ from: toWall + startTime, to: toWall + startTime + duration, kind: KINDS[detail.kind] });
});
collections.observe({ entryTypes: ["gc"] });

let worst;
let isMeasuring = true;
let rssAt = 0;
let last = { wall: wallMs(), cpu: cpuMs() };

function begin() {
  const rss = process.memoryUsage.rss();
  pauses = [];
  worst = { cpu: 0, wall: 0, over: 0, from: 0, to: 0, all: process.cpuUsage(), rss, peak: rss };
  last = { wall: wallMs(), cpu: cpuMs() };
}

function tick() {
  const now = { wall: wallMs(), cpu: cpuMs() };
  const cpu = now.cpu - last.cpu;
  if (cpu > 20) worst.over++;
  if (cpu > worst.cpu) Object.assign(worst, { cpu, from: last.wall, to: now.wall });
  worst.wall = Math.max(worst.wall, now.wall - last.wall - EVERY_MS);
  if (now.wall - rssAt > RSS_EVERY_MS) {
    rssAt = now.wall;
    worst.peak = Math.max(worst.peak, process.memoryUsage.rss());
  }
  last = now;
  if (isMeasuring) setTimeout(tick, EVERY_MS).unref();
}

begin();
setTimeout(tick, EVERY_MS).unref();

process.on("message", async ({ ask }) => {
  if (ask === "begin") {
    if (session) await profile("start");
    begin();
    if (!isMeasuring) setTimeout(tick, EVERY_MS).unref();
    isMeasuring = true;
    process.send({ begun: true });
  }
  if (ask === "used") {
    const { user, system } = process.cpuUsage();
    process.send({ used: (user + system) / 1000 });
  }
  if (ask === "memory") process.send(process.memoryUsage());
  if (ask === "end") {
    // What the probe itself allocates would keep V8 from giving memory back to the system.
    isMeasuring = false;
    tick();
    // The observer hears of a collection in a later turn.
    await new Promise((next) => setTimeout(next, 5));
    const { user, system } = process.cpuUsage(worst.all);
    const { cpu, wall, over, rss, peak, from, to } = worst;
    const spent = session && stallOf(await profile("stop"), from * 1000, to * 1000);
    const gc = pausedWithin(from, to);
    if (spent) spent.gc = gc.list;
    process.send({ cpu, wall, over, rss, peak, gc: gc.sum, total: (user + system) / 1000, spent });
  }
});
// The channel keeps nothing alive.
process.channel?.unref();
if (session) session.connect();

/** The garbage collections within a time, whose parts overlap where one is a step of another. */
function pausedWithin(from, to) {
  const list = [];
  let sum = 0;
  let until = from;
  for (const pause of pauses.sort((a, b) => a.from - b.from)) {
    const end = Math.min(pause.to, to);
    const begin = Math.max(pause.from, until);
    if (end <= begin) continue;
    sum += end - begin;
    until = end;
    list.push(`${(end - begin).toFixed(1)} ms ${pause.kind}`);
  }
  return { sum, list };
}

function profile(verb) {
  const post = (method, params) =>
    new Promise((done, fail) => session.post(method, params, (error, answer) => (error ? fail(error) : done(answer))));
  if (verb === "stop") return post("Profiler.stop").then(({ profile }) => profile);
  return post("Profiler.enable")
    .then(() => post("Profiler.setSamplingInterval", { interval: SAMPLE_US }))
    .then(() => post("Profiler.start"));
}

/** The functions that were running within a time, by the share of samples in which they stood on the stack. */
function stallOf({ nodes, samples, timeDeltas, startTime }, from, to) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parent = new Map();
  for (const { id, children = [] } of nodes) for (const child of children) parent.set(child, id);
  const inclusive = new Map();
  const own = new Map();
  let at = startTime;
  let count = 0;
  samples.forEach((id, i) => {
    at += timeDeltas[i];
    if (at < from || at > to) return;
    count++;
    const onStack = new Set();
    for (let node = id; node !== undefined; node = parent.get(node)) onStack.add(label(byId.get(node).callFrame));
    for (const name of onStack) inclusive.set(name, (inclusive.get(name) ?? 0) + 1);
    const name = label(byId.get(id).callFrame);
    own.set(name, (own.get(name) ?? 0) + 1);
  });
  const top = (map, n) =>
    [...map]
      .sort((a, b) => b[1] - a[1])
      .slice(0, n)
      .map(([name, c]) => `${Math.round((100 * c) / count)}% ${name}`);
  return { samples: count, inclusive: top(inclusive, 25), own: top(own, 10) };
}

function label({ functionName, lineNumber, url }) {
  return `${functionName || "(anonymous)"}${url.startsWith("node:") ? ` ${url}` : lineNumber >= 0 ? `:${lineNumber + 1}` : ""}`;
}

/** Processor time of the main thread (ms); elsewhere than on Linux that of the process. */
function mainThreadTime() {
  try {
    const fd = fs.openSync(`/proc/self/task/${process.pid}/schedstat`);
    const buffer = Buffer.alloc(64);
    return () => Number.parseInt(buffer.latin1Slice(0, fs.readSync(fd, buffer, 0, 64, 0)), 10) / 1e6;
  } catch {
    return () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
  }
}
