import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import { noExecutable } from "#test/kit/executable.ts";
import { has, inCopy, noCopy } from "#test/kit/machine.ts";
import { folder } from "#test/kit/program.ts";

const target = `${process.platform}-${process.arch}`;
const noPackages = noExecutable || (/^linux-(x64|arm64)$/.test(target) ? false : "packages are tried on Linux");
const notHere = noPackages || noCopy();
const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const packages = noPackages ? "" : folder({ after });
/** The one package whose name ends so. */
const named = (end: string) =>
  readdirSync(packages).find((name) => name.startsWith("proxy") && name.endsWith(end)) ?? "";
const sha256 = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

before(() => {
  if (noPackages) return;
  node([resolve("build/package.mjs"), "--target", target, "--built", "--out", packages]);
});

function node(argv: string[], env: Record<string, string> = {}) {
  const ran = spawnSync(process.execPath, argv, { encoding: "utf8", env: { ...process.env, ...env } });
  assert.equal(ran.status, 0, ran.stderr);
}

/** A later version to upgrade to; its program only says so. */
function later(kind: "deb" | "rpm"): void {
  const code = `
    import { writeFileSync } from "node:fs";
    import { ${kind} } from ${JSON.stringify(resolve(`build/package/${kind}.mjs`))};
    import { pages } from ${JSON.stringify(resolve("build/package/tree.mjs"))};
    const { bytes } = await ${kind}(${JSON.stringify(target)}, Buffer.from("#!/bin/sh\\necho later\\n"), await pages());
    writeFileSync(${JSON.stringify(join(packages, `later.${kind}`))}, bytes);`;
  node(["--input-type=module", "--eval", code], { PROXY_PACKAGE_VERSION: "99.0.0" });
}

/** Runs the service as its unit does, tries it, stops it. */
const SERVE = `
cat > /usr/local/bin/as-service <<'END'
#!/bin/sh
exec setpriv --reuid=mcpproxy --regid=mcpproxy --clear-groups --no-new-privs --bounding-set=-all \\
  env -i PATH=/usr/bin:/bin HOME=/var/lib/mcpproxy SERVICE_DATA=/var/lib/mcpproxy SERVICE_LISTEN=127.0.0.1:0 "$@"
END
chmod 755 /usr/local/bin/as-service
as-service /usr/bin/proxy serve &
for i in $(seq 100); do as-service /usr/bin/proxy healthcheck --ready >/dev/null 2>&1 && break; sleep 0.1; done
echo "status: $(as-service /usr/bin/proxy status --json | tr -d '\\n')"
echo "info: $(as-service /usr/bin/proxy info --refresh --json | tr -d '\\n')"
kill $!
code=0; wait $! || code=$?
echo "stopped: $code"
`;
const FACTS = `
echo "version: $(/usr/bin/proxy --version)"
echo "data: $(stat -c '%a %U:%G' /var/lib/mcpproxy)"
echo "program: $(stat -c '%a %U:%G' /usr/bin/proxy)"
`;

function installed(facts: Record<string, string>, channel: string): void {
  assert.deepEqual([facts.version, facts.program, facts.data], [version, "755 root:root", "700 mcpproxy:mcpproxy"]);
  assert.equal(JSON.parse(facts.status!).status, "running");
  assert.equal(JSON.parse(facts.info!).update.install_channel, channel);
  assert.equal(facts.stopped, "0");
}

function unit(t: { diagnostic(text: string): void }): string {
  if (has("systemd-analyze"))
    return `
systemd-analyze verify --man=no /usr/lib/systemd/system/mcpproxy.service 2>&1 | sed 's/^/unit complaint: /'
systemd-analyze security --offline=yes --threshold=20 /usr/lib/systemd/system/mcpproxy.service >/dev/null && echo "hardened: yes"
`;
  t.diagnostic("the unit is not verified: no systemd-analyze");
  return 'echo "hardened: yes"\n';
}

test("the Debian package installs, runs, upgrades with its data, and purges", {
  skip: notHere || (!has("dpkg") && "no dpkg"),
}, (t) => {
  later("deb");
  const script = `
dpkg -i /packages/${named(".deb")}
${FACTS}${unit(t)}${SERVE}
dpkg -i /packages/later.deb
echo "upgraded: $(/usr/bin/proxy --version) $(test -f /var/lib/mcpproxy/mcp_config.json && echo kept)"
dpkg -r proxy
echo "removed: $(test -e /usr/bin/proxy || echo gone) $(test -f /var/lib/mcpproxy/mcp_config.json && echo kept)"
dpkg -P proxy
echo "purged: $(test -e /var/lib/mcpproxy || echo gone) $(getent passwd mcpproxy || echo nobody)"
echo "left: $(find /usr /etc -newer /packages/SHA256SUMS -path '*proxy*' ! -path '*__pycache__*' ! -type d | tr '\\n' ' ')"
`;

  const { facts, status, text } = inCopy(packages, script);

  assert.equal(status, 0, text);
  installed(facts, "deb");
  assert.deepEqual([facts["unit complaint"], facts.hardened], [undefined, "yes"], text);
  assert.deepEqual([facts.upgraded, facts.removed, facts.purged], ["later kept", "gone kept", "gone nobody"]);
  assert.equal(facts.left, "", "nothing of it is left");
});

test("the RPM package installs, runs, upgrades with its data, and goes", {
  skip: notHere || (!has("rpmbuild") && "no rpmbuild"),
}, (t) => {
  later("rpm");
  // Debian's database of packages knows nothing of RPM's requirements.
  const rpm = "rpm --nodeps --dbpath /var/lib/rpm";
  const script = `
mkdir -p /var/lib/rpm
${rpm} -i /packages/${named(".rpm")}
${FACTS}${unit(t)}${SERVE}
${rpm} -U /packages/later.rpm
echo "upgraded: $(/usr/bin/proxy --version) $(test -f /var/lib/mcpproxy/mcp_config.json && echo kept)"
${rpm} -e proxy
echo "removed: $(test -e /usr/bin/proxy || echo gone) $(test -f /var/lib/mcpproxy/mcp_config.json && echo kept)"
`;

  const { facts, status, text } = inCopy(packages, script);

  assert.equal(status, 0, text);
  installed(facts, "rpm");
  assert.deepEqual([facts["unit complaint"], facts.hardened], [undefined, "yes"], text);
  assert.deepEqual([facts.upgraded, facts.removed], ["later kept", "gone kept"]);
});

test("the tarball runs wherever it is unpacked and says how it came", { skip: notHere }, () => {
  const script = `
mkdir /opt/unpacked && tar -xzf /packages/${named(".tar.gz")} -C /opt/unpacked --strip-components=1 --no-same-owner
ln -s /opt/unpacked/bin/proxy /usr/local/bin/proxy
export HOME=/root SERVICE_LISTEN=127.0.0.1:0
proxy serve &
for i in $(seq 100); do proxy healthcheck >/dev/null 2>&1 && break; sleep 0.1; done
echo "info: $(proxy info --refresh --json | tr -d '\\n')"
`;

  const { facts, status, text } = inCopy(packages, script);

  assert.equal(status, 0, text);
  assert.equal(JSON.parse(facts.info!).update.install_channel, "tarball");
});

/** The one layer of the image, unpacked. */
function layer(t: TestContext, into: string): void {
  const archive = join(packages, named(`.tar`));
  mkdirSync(into, { recursive: true });
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
  const unpacked = join(packages, "image");
  layer(t, unpacked);
  const script = `
mount --bind /packages/image /packages/image
mount -o remount,bind,ro /packages/image
mount -t tmpfs -o mode=0700,uid=65532,gid=65532 tmpfs /packages/image/data
cat > /usr/local/bin/inside <<'END'
#!/bin/sh
exec env -i HOME=/data SERVICE_DATA=/data SERVICE_LISTEN=127.0.0.1:0 SERVICE_REQUIRE_MCP_AUTH=true \\
  /usr/sbin/chroot --userspec=65532:65532 /packages/image "$@"
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

  const { facts, status, text } = inCopy(packages, script);
  rmSync(unpacked, { recursive: true, force: true });

  assert.equal(status, 0, text);
  assert.deepEqual([facts.healthy, facts.stopped, facts.sick], ["ok", "0", "1"], text);
  assert.equal(JSON.parse(facts.info!).update.install_channel, "container");
});

/** Some kernels and users need another runtime or lower limits than podman's defaults. */
const MODEST = '[containers]\ndefault_ulimits = ["nofile=20000:20000","nproc=4096:4096"]\n[engine]\nruntime = "runc"\n';

test("the image runs under podman, read-only, without privileges, under the unit's system call filter", {
  skip: noPackages || (!has("podman") && "no podman"),
}, (t) => {
  const dir = folder(t);
  writeFileSync(join(dir, "containers.conf"), MODEST);
  const name = `proxy-test-${process.pid}`;
  let env: Record<string, string | undefined> = process.env;
  const podman = (...argv: string[]) => spawnSync("podman", argv, { encoding: "utf8", env, timeout: 60_000 });
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
  assert.match(first, /made the administrator API key/);
  assert.doesNotMatch(podman("logs", name).stderr, /made the administrator API key/, "the volume was kept");
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

test("sums, formula and bill of materials name what was made", { skip: noPackages }, () => {
  const sums = readFileSync(join(packages, "SHA256SUMS"), "utf8").trim().split("\n");
  const formula = readFileSync(join(packages, "proxy.rb"), "utf8");
  const bill = JSON.parse(readFileSync(join(packages, `proxy-${version}.cdx.json`), "utf8"));
  const purls = bill.components.map((c: { purl?: string }) => c.purl ?? "");

  for (const line of sums) assert.equal(sha256(join(packages, line.slice(66))), line.slice(0, 64), line);
  assert.ok(formula.includes(`sha256 "${sha256(join(packages, named(".tar.gz")))}"`));
  if (has("ruby")) assert.equal(spawnSync("ruby", ["-c", join(packages, "proxy.rb")]).status, 0);
  for (const wanted of ["pkg:npm/hono@", "pkg:npm/sql.js@", "pkg:npm/node-linux-", "pkg:npm/%40napi-rs/keyring-linux-"])
    assert.ok(
      purls.some((purl: string) => purl.startsWith(wanted)),
      wanted,
    );
  for (const gone of ["pkg:npm/esbuild@", "pkg:npm/express@"])
    assert.ok(!purls.some((purl: string) => purl.startsWith(gone)), gone);
  for (const c of bill.components)
    assert.ok(c.hashes?.[0]?.content.length >= 64 && (c.type === "file" || c.licenses), c["bom-ref"]);
  assert.ok(existsSync(join(packages, named(".deb"))));
});
