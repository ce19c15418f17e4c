import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as v from "valibot";
import { parseMemoryLimit, parseProcessorLimit } from "#lib/core/config/isolation-limits.ts";
import { DockerIsolation } from "#lib/modules/isolation/config.ts";
import { containerBody, slug } from "#lib/modules/isolation/container-body.ts";
import { readExtraArgs } from "#lib/modules/isolation/extra-args.ts";
import { hiddenPaths } from "#lib/modules/isolation/hidden-paths.ts";
import { isolationBreach } from "#lib/modules/isolation/isolation-breach.ts";
import { isolationPlan, termsOf } from "#lib/modules/isolation/plan.ts";
import { imageFor, qualifiedImage, runtimeOf } from "#lib/modules/isolation/runtime.ts";

const GUARDED = { dataDir: "/home/me/.proxy", home: "/home/me", sockets: ["/var/run/docker.sock"] };
const settings = (given: object = {}) => v.parse(DockerIsolation, given);

test("whether and how a server is kept apart: its own word before the general one", () => {
  const rows: [server: object, general: object, how: string][] = [
    [{ command: "npx" }, {}, "plain"],
    [{ command: "npx" }, { enabled: true }, "container"],
    [{ url: "https://x.example" }, { enabled: true }, "plain"],
    [{ command: "npx", isolation: { enabled_override: false } }, { enabled: true }, "plain"],
    [{ command: "npx", isolation: { enabled_override: true } }, {}, "container"],
    [{ command: "npx", isolation: { enabled: true } }, {}, "container"],
    [{ command: "npx", isolation: { enabled_override: false, enabled: true } }, {}, "plain"],
    [{ command: "docker" }, { enabled: true }, "plain"],
    [{ command: "/usr/bin/podman" }, { enabled: true }, "plain"],
    [{ command: "npx" }, { enabled: true, mode: "none" }, "plain"],
    [{ command: "npx" }, { enabled: true, mode: "sandbox" }, "sandbox"],
    [{ command: "npx", isolation: { mode: "docker" } }, { enabled: true, mode: "sandbox" }, "container"],
  ];
  for (const [server, general, how] of rows)
    assert.equal(isolationPlan(server, settings(general)).how, how, JSON.stringify([server, general]));
});

test("an image is chosen by the command: the configuration's by command, then by runtime, then the usual one", () => {
  const rows: [command: string, runtime: string, image: RegExp][] = [
    ["npx", "node", /^node:/],
    ["C:\\Program Files\\nodejs\\npx.cmd", "node", /^node:/],
    ["/usr/bin/python3.13", "python", /uv:python/],
    ["uvx", "python", /uv:python/],
    ["go", "go", /^golang:/],
    ["/opt/server", "binary", /^debian:/],
  ];
  for (const [command, runtime, image] of rows) {
    assert.equal(runtimeOf(command), runtime, command);
    assert.match(imageFor(command), image, command);
  }
  assert.equal(imageFor("uvx", { python: "a", uvx: "b" }), "b");
  assert.equal(imageFor("python", { python: "a", uvx: "b" }), "a");
  assert.equal(termsOf({ command: "npx", isolation: { image: "own:1" } }, settings()).image, "own:1");
});

test("an image's name is made whole, since engines differ in what a short one means", () => {
  const rows = [
    ["node:22", "docker.io", "docker.io/library/node:22"],
    ["me/tool", "docker.io", "docker.io/me/tool"],
    ["node:22", "registry.example:5000", "registry.example:5000/node:22"],
    ["ghcr.io/a/b@sha256:00", "docker.io", "ghcr.io/a/b@sha256:00"],
    ["localhost/x", "docker.io", "localhost/x"],
  ] as const;
  for (const [image, registry, whole] of rows) assert.equal(qualifiedImage(image, registry), whole);
});

test("amounts are read as engines read them, and what is none is refused", () => {
  assert.deepEqual(["512m", "1g", "2GB", "1.5g", "6291456"].map(parseMemoryLimit), [
    2 ** 29,
    2 ** 30,
    2 ** 31,
    1.5 * 2 ** 30,
    6291456,
  ]);
  assert.deepEqual(["", "much", "-1m", "5", "1t"].map(parseMemoryLimit), Array(5).fill(undefined));
  assert.deepEqual(["1", "0.5"].map(parseProcessorLimit), [1, 0.5]);
  assert.deepEqual(["0", "-1", "all", "9999"].map(parseProcessorLimit), Array(4).fill(undefined));
});

test("flags that would undo the isolation are refused by name, unknown ones too", () => {
  for (const args of [
    ["--privileged"],
    ["--privileged=true"],
    ["--cap-add", "SYS_ADMIN"],
    ["--cap-add=ALL"],
    ["--security-opt", "seccomp=unconfined"],
    ["--pid=host"],
    ["--device", "/dev/sda"],
    ["--userns=host"],
    ["--volumes-from", "other"],
    ["--network", "container:other"],
    ["-v", "/var/run/docker.sock:/var/run/docker.sock"],
    ["-v", "/run/podman/podman.sock:/x"],
    ["-v", "relative"],
    ["-v", "./beside:/x"],
    ["-v", "/a:relative"],
    ["-v", "proxy-0123456789ab-git-0:/x"],
    ["--network", "slirp4netns:allow_host_loopback=true"],
    ["--network", "ns:/proc/1/ns/net"],
    ["--made-up", "x"],
    ["-e"],
    ["image"],
  ])
    assert.throws(() => readExtraArgs(args), /extra_args: /, args.join(" "));
  const extra = readExtraArgs(["-v", "/a:/b:ro", "-e", "A=1", "--network=none", "-u", "1000", "--tmpfs", "/x:size=1m"]);
  assert.deepEqual(
    [extra.binds, extra.env, extra.network, extra.user, extra.tmpfs],
    [[{ from: "/a", to: "/b", options: "ro" }], ["A=1"], "none", "1000", { "/x": "size=1m" }],
  );
  const binds = readExtraArgs(["-v", "C:\\work:/work", "-v", "cache:/cache:ro,z"]).binds;
  assert.deepEqual(
    binds.map(({ from, options }) => [from, options]),
    [
      ["C:\\work", ""],
      ["cache", "ro,z"],
    ],
  );
});

test("a container is asked for with nothing it could harm with, whatever is configured", () => {
  const terms = termsOf({ command: "npx" }, settings({ memory_limit: "256m", cpu_limit: "1.5" }));
  const target = { command: "npx", args: ["-y", "x"], declaredEnv: { KEY: "v" }, workingDir: "/srv/data" };
  const body = containerBody({
    server: "My Server",
    mark: { instance: "abc", run: "r" },
    image: "node:22",
    terms,
    target,
    guarded: GUARDED,
  });

  assert.deepEqual([body.Entrypoint, body.Cmd, body.WorkingDir], [["npx"], ["-y", "x"], "/srv/data"]);
  assert.deepEqual(body.Env, ["HOME=/home/proxy", "KEY=v"]);
  const { HostConfig: host } = body;
  assert.deepEqual(
    [host.Memory, host.MemorySwap, host.NanoCpus, host.ReadonlyRootfs, host.CapDrop, host.SecurityOpt],
    [2 ** 28, 2 ** 28, 1.5e9, true, ["ALL"], ["no-new-privileges"]],
  );
  assert.deepEqual(host.Mounts[0], { Type: "bind", Source: "/srv/data", Target: "/srv/data" });
  assert.notEqual(slug("a b"), slug("a-b"));
  assert.match(slug("My Server"), /^my-server-[0-9a-f]{16}$/);
});

test("nothing is shared that would undo the isolation, by whichever path or link it is named", (t) => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "proxy-")));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const [home, dataDir, run] = [join(dir, "home"), join(dir, "home", "data"), join(dir, "run")];
  for (const folder of [dataDir, run, join(home, "work"), join(home, "work-more")])
    mkdirSync(folder, { recursive: true });
  symlinkSync(home, join(dir, "link"));
  symlinkSync("/", join(home, "work", "root"));
  const guarded = { dataDir, home, sockets: [join(run, "engine.sock")] };
  const rows: [path: string, reason: RegExp | undefined][] = [
    ["/", /whole machine/],
    [join(home, "work", "root"), /whole machine/],
    [dir, /is or contains the home/],
    [run, /container engine/],
    [join(run, "engine.sock"), /container engine/],
    [dataDir, /the proxy's data/],
    [join(dataDir, "logs"), /the proxy's data/],
    [join(dir, "link", "data"), /the proxy's data/],
    [home, /is or contains the home/],
    ["/proc", /kernel/],
    ["/proc/1/root/x", /kernel/],
    ["/sys/fs", /kernel/],
    ["relative", /absolute/],
    [join(home, "work"), undefined],
    [join(dir, "link", "work"), undefined],
    [join(home, "data-of-mine"), undefined],
    [join(dir, "not-there", "yet"), undefined],
  ];
  for (const [path, reason] of rows)
    if (reason) assert.match(isolationBreach(path, guarded) ?? "", reason, path);
    else assert.equal(isolationBreach(path, guarded), undefined, path);
  const terms = termsOf({ command: "npx" }, settings({ extra_args: ["-v", `${join(dir, "link")}:/x`] }));
  const target = { command: "npx", args: [], declaredEnv: {}, workingDir: undefined };
  const ask = (more: object) =>
    containerBody({ server: "s", mark: { instance: "a", run: "r" }, image: "i", terms, target, guarded, ...more });
  assert.throws(() => ask({}), /--volume .*link is or contains the home/);
  const plain = termsOf({ command: "npx" }, settings());
  assert.throws(
    () => ask({ terms: plain, target: { ...target, workingDir: "/" } }),
    /working_dir \/ is the whole machine/,
  );
  const joined = termsOf({ command: "npx", isolation: { network_mode: "container:other" } }, settings());
  assert.throws(() => ask({ terms: joined }), /network_mode container:other is not a valid network name/);
});

test("what a command line names and the isolation hides is known", (t) => {
  const dir = mkdtempSync(join(tmpdir(), "proxy-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, "a.js");
  writeFileSync(file, "");
  assert.deepEqual(hiddenPaths([file, `--config=${file}`, "/usr/bin", "-y", join(dir, "none"), "/"], []), [file, file]);
  assert.deepEqual(hiddenPaths([file], [dir]), []);
});
