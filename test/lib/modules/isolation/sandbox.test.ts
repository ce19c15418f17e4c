import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import type { ServerConfig } from "#lib/core/config/config-keys.ts";
import { makeCgroup } from "#lib/modules/isolation/cgroup.ts";
import { bubblewrap, programsOf, type Reach, seatbelt } from "#lib/modules/isolation/sandbox.ts";
import { findSandbox } from "#lib/modules/isolation/sandbox-tools.ts";
import { ready, serve } from "#test/kit/mcp.ts";
import { until } from "#test/kit/until.ts";

const found = await findSandbox(process.env);
const skip = typeof found === "string" && found;
/** Below the folder of the tests, which is none of the hidden ones. */
const PLACE = resolve("dist");
const HOSTILE = resolve("test/programs/hostile.mjs");

function folder(t: TestContext): string {
  mkdirSync(PLACE, { recursive: true });
  const dir = mkdtempSync(join(PLACE, "sandbox-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function sandboxed(
  t: TestContext,
  isolation: ServerConfig["isolation"] = {},
  /** @param home of the person */
  more: (home: string) => Record<string, string> = () => ({}),
) {
  const dir = folder(t);
  const home = join(folder(t), "person");
  mkdirSync(home);
  writeFileSync(join(home, "diary.txt"), "private");
  const work = folder(t);
  // Where the repository lies may be one of the hidden places.
  const hostile = join(work, "hostile.mjs");
  copyFileSync(HOSTILE, hostile);
  const { app } = await serve(t, {
    dir,
    config: { docker_isolation: { enabled: true, mode: "sandbox" } },
    servers: [
      {
        name: "hostile",
        command: process.execPath,
        args: [hostile],
        working_dir: work,
        trust_mode: "auto",
        isolation,
      },
    ],
    env: { HOME: home, PATH: process.env.PATH ?? "", ...more(home) },
    connect: true,
  });
  const tool = async (name: string, args: object = {}) => {
    const params = { name, arguments: args as Record<string, never> };
    const reply = await app.upstreams.get("hostile")!.request("tools/call", params, { timeoutMs: 60_000 });
    return (reply.result as { content: { text: string }[] }).content[0]!.text;
  };
  return { app, tool, dir, home, work };
}

test("a server in the light sandbox can read the authorities that this machine names, wherever they lie, and not change them", {
  skip,
}, async (t) => {
  const { tool, home } = await sandboxed(t, {}, (home) => {
    writeFileSync(join(home, "corp.pem"), "an authority");
    return { SSL_CERT_FILE: join(home, "corp.pem"), REQUESTS_CA_BUNDLE: join(home, "gone.pem"), SSL_CERT_DIR: home };
  });

  assert.equal(await tool("read", { path: join(home, "corp.pem") }), "an authority");
  assert.equal(await tool("write", { path: join(home, "corp.pem") }), "EROFS");
  assert.equal(await tool("read", { path: join(home, "diary.txt") }), "ENOENT", "a home is not shown for being named");
});

test("a server in the light sandbox sees no home, writes only where it was told to, and has no network", {
  skip,
}, async (t) => {
  const listener = createServer((socket) => socket.on("error", () => {}).end("hello"));
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  t.after(() => listener.close());
  const { port } = listener.address() as { port: number };
  const { tool, dir, home, work } = await sandboxed(t);

  assert.equal(await tool("read", { path: join(home, "diary.txt") }), "ENOENT");
  assert.equal(await tool("read", { path: join(dir, "mcp_config.json") }), "ENOENT");
  assert.doesNotMatch(await tool("list", { path: homedir() }), /\.bashrc|\.profile|\.npmrc|\.ssh/);
  assert.equal(await tool("list", { path: "/run" }), "");
  assert.equal(await tool("write", { path: "/etc/proxy-was-here" }), "EROFS");
  for (const path of ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/self/comm"])
    assert.match(await tool("open", { path }), /^(EROFS|EACCES|ENOENT)$/, path);
  // Refused, or gone with the place that hides what lies here.
  await tool("write", { path: resolve("was-here") });
  assert.ok(!existsSync("was-here"));
  assert.equal(await tool("write", { path: join(work, "x") }), "written");
  assert.equal(readFileSync(join(work, "x"), "utf8"), "was here");
  assert.equal(await tool("write", { path: join(home, "kept") }), "written");
  assert.ok(!existsSync(join(home, "kept")));
  assert.match(await tool("reach", { host: "127.0.0.1", port }), /ECONNREFUSED/);
  const told = JSON.parse(await tool("tell"));
  assert.deepEqual([told.cwd, told.caps], [work, "0000000000000000"]);
  assert.ok(told.processes <= 4, `${told.processes} processes in sight`);
});

test("a network is there only for a server that was given one by name", { skip }, async (t) => {
  const listener = createServer((socket) => socket.on("error", () => {}).end("hello"));
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  t.after(() => listener.close());
  const { port } = listener.address() as { port: number };
  const { tool } = await sandboxed(t, { network_mode: "host" });

  assert.equal(await tool("reach", { host: "127.0.0.1", port }), "reached");
});

test("its bounds hold: a bomb of processes is stopped, one that eats memory ends and comes back", {
  skip,
}, async (t) => {
  const { tool, app } = await sandboxed(t, { memory_limit: "200m" });

  const started = Number(await tool("multiply", { times: 700 }));
  assert.ok(started > 100 && started < 520, `${started} started`);
  const ate = await tool("eat", { megabytes: 900 }).catch((error: Error) => error.message);
  assert.doesNotMatch(ate, /^ate/);
  const status = app.upstreams.get("hostile")!.status();
  const cell = makeCgroup("test", "probe", { memoryBytes: 1 << 28, processors: 1, processes: 9 });
  cell?.remove();
  if (cell) assert.match(status.lastError ?? ate, /more memory than memory_limit allows/);
  await ready(app, "hostile");
});

test("what is kept for a server survives its restart, is not another's, and goes when the server is removed", {
  skip,
}, async (t) => {
  const { tool, app, home, dir } = await sandboxed(t);
  await tool("write", { path: join(home, "cache") });
  await app.upstreams.get("hostile")!.restart("a test");
  await ready(app, "hostile");
  assert.match(await tool("list", { path: home }), /cache/);

  await app.config.update((draft) => {
    draft.mcpServers = [];
  }, "a test");
  await until("its home is gone", () => readdirSync(join(dir, "sandbox")).length === 0);
});

test("with nothing to keep servers apart, the policy decides: refuse, the light sandbox, or run unconfined", {
  skip,
}, async (t) => {
  const work = folder(t);
  const hostile = join(work, "hostile.mjs");
  copyFileSync(HOSTILE, hostile);
  const start = async (docker_isolation: object) => {
    const { app } = await serve(t, {
      config: { docker_isolation: { enabled: true, ...docker_isolation } },
      servers: [
        {
          name: "s",
          command: process.execPath,
          args: [hostile],
          working_dir: work,
          trust_mode: "auto",
        },
      ],
      env: { DOCKER_HOST: `unix://${join(tmpdir(), "no-engine.sock")}`, PATH: process.env.PATH ?? "" },
    });
    app.upstreams.start();
    const status = () => app.upstreams.get("s")!.status();
    await until("an end", () => status().state === "Ready" || status().lastError !== undefined);
    return status();
  };
  const refused = await start({});
  assert.match(
    refused.lastError ?? "",
    /no container engine .* start Docker or Podman, or set docker_isolation\.fallback/,
  );
  const ran = await start({ fallback: "run" });
  assert.equal(readFileSync(`/proc/${ran.pid}/cmdline`, "utf8").split("\0")[0], process.execPath);
  const kept = await start({ fallback: "sandbox" });
  assert.equal(kept.state, "Ready");
  assert.match(readFileSync(`/proc/${kept.pid}/cmdline`, "utf8"), /bwrap/);
});

const REACH: Reach = {
  command: "npx",
  args: ["-y", "server"],
  home: "/Users/a b",
  ownHome: "/data/own",
  hidden: ["/data"],
  workingDir: "/work",
  shared: [
    { from: "/notes", to: "/notes", options: "ro" },
    { from: "/out", to: "/out", options: "" },
  ],
  startIn: "/work",
  programs: ["/Users/a b/.nvm/v24"],
  sockets: ["/private/var/run/docker.sock"],
  network: false,
};

test("the profile for macOS denies by place, quotes what stands in it, and opens the network only when allowed", () => {
  const profile = seatbelt(REACH);
  assert.match(profile, /^\(version 1\)\n\(allow default\)\n\(deny network\*\)\n.*\(deny file-write\*\)/s);
  assert.match(profile, /\(deny file-read\* \(subpath "\/Users\/a b"\) \(subpath "\/data"\)/);
  assert.match(profile, /\(allow file-read\* \(subpath "\/data\/own"\) \(subpath "\/work"\).*\.nvm/);
  assert.match(profile, /\(allow file-write\* .*"\/out"/);
  assert.doesNotMatch(profile, /\(allow file-write\* .*"\/notes"/);
  assert.match(profile, /\(allow file-read\* .*"\/notes"/);
  const open = seatbelt({ ...REACH, network: true });
  assert.doesNotMatch(open, /deny network\*/);
  assert.match(open, /\(deny network-outbound \(literal "\/private\/var\/run\/docker\.sock"\)\)/);
  assert.doesNotMatch(seatbelt({ ...REACH, home: '/x"(allow default)' }), /[^\\]"\(allow default\)/);
});

test("a command line for bubblewrap ends with the command, and nothing of it can be taken for a flag", () => {
  const line = bubblewrap(
    { path: "/usr/bin/bwrap", modern: true },
    { ...REACH, command: "--share-net", args: ["--bind", "/", "/"] },
  );
  assert.deepEqual(line.slice(line.indexOf("--")), ["--", "--share-net", "--bind", "/", "/"]);
  assert.ok(line.includes("--unshare-net") && line.includes("--die-with-parent"));
});

test("programs of a version manager stay readable, a home's own folders of programs only themselves", (t) => {
  const home = folder(t);
  const versions = join(home, ".nvm", "v24");
  for (const dir of [join(versions, "bin"), join(home, ".local", "bin"), join(home, ".ssh")])
    mkdirSync(dir, { recursive: true });
  for (const file of [join(versions, "bin", "npx"), join(home, ".local", "bin", "uvx"), join(home, "run.sh")])
    writeFileSync(file, "");
  const PATH = `${join(versions, "bin")}:${join(home, ".local", "bin")}:/usr/bin:${home}`;
  const refused = (path: string) => path === home;
  const of = (command: string, env: Record<string, string>, path = "/usr/bin") =>
    programsOf(command, env, path, refused).sort();

  assert.deepEqual(of("npx", { PATH }, PATH), [join(home, ".local", "bin"), versions, join(versions, "bin")]);
  assert.deepEqual(of("npx", { PATH }), [versions, join(versions, "bin")]);
  assert.deepEqual(of("uvx", { PATH }), [join(home, ".local", "bin")]);
  assert.deepEqual(of("node", { PATH: `${join(home, ".ssh")}:/usr/bin` }), [], "a PATH of its entry shows nothing");
  assert.deepEqual(of(join(home, "run.sh"), {}), [join(home, "run.sh")], "the file alone, not the home it lies in");
});

test("a folder that would undo the sandbox is refused, by whatever name; further ones are shared as they are declared", {
  skip,
}, async (t) => {
  const notes = folder(t);
  writeFileSync(join(notes, "a.txt"), "a note");
  const hidden = folder(t);
  writeFileSync(join(hidden, "b.txt"), "unseen");
  const extra_args = ["-v", `${notes}:${notes}:ro`, "-e", "LEVEL=high"];
  const { tool, app, home, dir, work } = await sandboxed(t, { extra_args });

  assert.equal(await tool("read", { path: join(notes, "a.txt") }), "a note");
  assert.equal(await tool("write", { path: join(notes, "x") }), "EROFS");
  assert.equal(await tool("read", { path: join(hidden, "b.txt") }), "ENOENT");
  for (const path of ["/at-the-root", "/dev/x"]) assert.equal(await tool("write", { path }), "EROFS");
  assert.equal(JSON.parse(await tool("tell")).env.LEVEL, "high");

  const link = join(folder(t), "link");
  symlinkSync("/", link);
  const refusals: [more: object, reason: RegExp][] = [
    [{ working_dir: "/" }, /working_dir \/ is the whole machine/],
    [{ working_dir: link }, /is the whole machine/],
    [{ working_dir: home }, /is or contains the home of the proxy's user/],
    [{ working_dir: dir }, /would expose the proxy's data/],
    [{ isolation: { extra_args: ["-v", "/run:/run"] } }, /would expose the container engine/],
    [{ isolation: { extra_args: ["-v", "cache:/cache"] } }, /is a volume, which only a container can have/],
  ];
  for (const [more, reason] of refusals) {
    await app.config.update((draft) => {
      draft.mcpServers = draft.mcpServers.map((server) => ({ ...server, working_dir: work, isolation: {}, ...more }));
    }, "a test");
    await until(String(reason), () => reason.test(app.upstreams.get("hostile")!.status().lastError ?? ""));
  }
});

test("its processes are counted apart from others of the same user", { skip }, (t) => {
  if (process.getuid?.() !== 0) return t.skip("needs root to become somebody else");
  const reach = { ...REACH, ownHome: "/tmp", home: "/home/x", workingDir: undefined, shared: [], startIn: "/" };
  const tools = found as Exclude<typeof found, string>;
  const line = bubblewrap(tools, {
    ...reach,
    command: tools.prlimit ?? "prlimit",
    args: ["--nproc=100", "--", "sh", "-c", "sleep 0 & wait; echo started"],
  });
  const crowd = 'for i in $(seq 150); do sleep 60 & all="$all $!"; done; "$@"; code=$?; kill $all; exit $code';
  const out = execFileSync("setpriv", ["--reuid=54321", "--clear-groups", "sh", "-c", crowd, "sh", ...line], {
    encoding: "utf8",
  });
  assert.equal(out, "started\n");
});
