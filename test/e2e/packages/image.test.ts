import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { has, inCopy } from "#test/kit/machine.ts";
import { folder } from "#test/kit/program.ts";
import { named, noPackages, notHere, packages, sha256, version } from "./made.ts";

/** The one layer of the image, unpacked. */
function layer(t: TestContext, into: string): void {
  const archive = join(packages, named(`.tar`));
  const tar = (...argv: string[]) => {
    const ran = spawnSync("tar", argv, { encoding: "utf8" });
    assert.equal(ran.status, 0, ran.stderr);
  };
  const oci = folder(t);
  tar("-xf", archive, "-C", oci);
  const read = (digest: string) => join(oci, "blobs", digest.replace(":", "/"));
  const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));
  const manifest = json(read(json(join(oci, "index.json")).manifests[0].digest));
  for (const { digest } of [manifest.config, ...manifest.layers])
    assert.equal(`sha256:${sha256(read(digest))}`, digest);
  tar("-xzf", read(manifest.layers[0].digest), "-C", into);
}

test("the image's files are enough: nobody in particular, on a file system that cannot be written to", {
  skip: notHere,
}, (t) => {
  const unpacked = folder(t);
  chmodSync(unpacked, 0o755);
  layer(t, unpacked);
  const script = `
mount --bind /image /image
mount -o remount,bind,ro /image
mount -t tmpfs -o mode=0700,uid=65532,gid=65532 tmpfs /image/data
cat > /usr/local/bin/inside <<'END'
#!/bin/sh
exec env -i HOME=/data SERVICE_DATA=/data SERVICE_LISTEN=127.0.0.1:0 SERVICE_REQUIRE_MCP_AUTH=true \\
  /usr/sbin/chroot --userspec=65532:65532 /image "$@"
END
chmod 755 /usr/local/bin/inside
inside /usr/bin/proxy serve &
for i in $(seq 100); do inside /usr/bin/proxy healthcheck >/dev/null 2>&1 && break; sleep 0.1; done
echo "healthy: $(inside /usr/bin/proxy healthcheck --ready)"
echo "info: $(inside /usr/bin/proxy info --refresh --json | tr -d '\\n')"
kill $!
code=0; wait $! || code=$?
echo "stopped: $code"
inside /usr/bin/proxy healthcheck >/dev/null 2>&1 || echo "sick: $?"
`;

  const { facts, status, text } = inCopy({ image: unpacked }, script);

  assert.equal(status, 0, text);
  assert.deepEqual([facts.healthy, facts.stopped, facts.sick], ["ok", "0", "1"], text);
  assert.equal(JSON.parse(facts.info!).update.install_channel, "container");
});

/** Some kernels and users need another runtime or lower limits than podman's defaults. */
const MODEST = '[containers]\ndefault_ulimits = ["nofile=20000:20000","nproc=4096:4096"]\n[engine]\nruntime = "runc"\n';

test("the image runs under podman, read-only, without privileges, under the unit's system call filter", {
  skip: noPackages || (!has("podman") && "no podman"),
}, (t) => {
  const name = `proxy-test-${process.pid}`;
  let env: Record<string, string | undefined> = process.env;
  const podman = (...argv: string[]) => spawnSync("podman", argv, { encoding: "utf8", env, timeout: 180_000 });
  const ok = (...argv: string[]) => {
    const ran = podman(...argv);
    assert.equal(ran.status, 0, `podman ${argv.join(" ")}: ${ran.stderr}`);
    return ran.stdout.trim();
  };
  const [, image = ""] = /Loaded image: (\S+)/.exec(ok("load", "-i", join(packages, named(".tar")))) ?? [];
  t.after(() => {
    podman("rm", "-f", "-t", "0", name);
    podman("volume", "rm", "-f", name);
    podman("rmi", "-f", image);
  });
  // After the hook above: hooks run in order, and without this folder's file podman removes nothing.
  const dir = folder(t);
  writeFileSync(join(dir, "containers.conf"), MODEST);
  if (podman("run", "--rm", image, "--version").status !== 0)
    env = { ...env, CONTAINERS_CONF: join(dir, "containers.conf") };
  const tried = podman("run", "--rm", image, "--version");
  if (tried.status !== 0) return t.skip(`podman runs no container here: ${tried.stderr.trim()}`);
  const filter = systemCalls(dir);
  if (!filter) t.diagnostic("without the unit's system call filter: no systemd-analyze");
  const start = () =>
    ok(
      "run",
      "-d",
      "--name",
      name,
      "--read-only",
      "--cap-drop=all",
      "-v",
      `${name}:/data`,
      "--security-opt=no-new-privileges",
      ...(filter ? [`--security-opt=seccomp=${filter}`] : []),
      image,
    );
  const healthy = () => {
    for (let i = 0; i < 100; i++) if (podman("exec", name, "/usr/bin/proxy", "healthcheck").status === 0) return true;
    return false;
  };

  start();
  assert.ok(healthy(), podman("logs", name).stderr);
  const key = ok("exec", name, "/usr/bin/proxy", "code", "exec", "--code", "40 + 2");
  ok("stop", "-t", "20", name);
  const code = ok("inspect", "--format", "{{.State.ExitCode}}", name);
  const first = podman("logs", name).stderr;
  ok("rm", name);
  start();
  assert.ok(healthy());

  assert.equal(tried.stdout.trim(), version);
  assert.equal(JSON.parse(key).value, 42);
  assert.equal(code, "0");
  assert.match(first, /generated the API key of the administrator/);
  assert.doesNotMatch(podman("logs", name).stderr, /generated the API key of the administrator/, "the volume was kept");
});

/** What SystemCallFilter= of the unit admits, as a container engine takes it. */
function systemCalls(dir: string): string | undefined {
  if (!has("systemd-analyze")) return undefined;
  const set = (name: string): string[] => {
    const lines = spawnSync("systemd-analyze", ["syscall-filter", name], { encoding: "utf8" })
      .stdout.split("\n")
      .slice(1);
    const words = lines.map((line) => line.trim()).filter((word) => word !== "" && !word.startsWith("#"));
    return words.flatMap((word) => (word.startsWith("@") ? set(word) : [word]));
  };
  const [, wanted = ""] =
    /^SystemCallFilter=(\S+)$/m.exec(readFileSync("build/package/mcpproxy.service", "utf8")) ?? [];
  const names = [...set("@default"), ...set(wanted)];
  // What the engine itself needs to set the container up before the program starts.
  const setup = [
    "capset",
    "setuid",
    "setgid",
    "setgroups",
    "prctl",
    "seccomp",
    "execve",
    "close_range",
    "mount",
    "chroot",
    "pivot_root",
    "umount2",
  ];
  const profile = {
    defaultAction: "SCMP_ACT_ERRNO",
    architectures: [{ x64: "SCMP_ARCH_X86_64", arm64: "SCMP_ARCH_AARCH64" }[process.arch as "x64"]],
    syscalls: [{ names: [...new Set([...names, ...setup])], action: "SCMP_ACT_ALLOW" }],
  };
  const path = join(dir, "seccomp.json");
  writeFileSync(path, JSON.stringify(profile));
  return path;
}
