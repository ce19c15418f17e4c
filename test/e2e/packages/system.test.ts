import assert from "node:assert/strict";
import { test } from "node:test";
import { has, inCopy } from "#test/kit/machine.ts";
import { folder } from "#test/kit/program.ts";
import { later, named, notHere, packages, version } from "./made.ts";

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
  const dir = folder(t);
  later("deb", dir);
  const script = `
dpkg -i /packages/${named(".deb")}
${FACTS}${unit(t)}${SERVE}
dpkg -i /more/later.deb
echo "upgraded: $(/usr/bin/proxy --version) $(test -f /var/lib/mcpproxy/mcp_config.json && echo kept)"
dpkg -r proxy
echo "removed: $(test -e /usr/bin/proxy || echo gone) $(test -f /var/lib/mcpproxy/mcp_config.json && echo kept)"
dpkg -P proxy
echo "purged: $(test -e /var/lib/mcpproxy || echo gone) $(getent passwd mcpproxy || echo nobody)"
echo "left: $(find /usr /etc -newer /packages/SHA256SUMS -path '*proxy*' ! -path '*__pycache__*' ! -type d | tr '\\n' ' ')"
`;

  const { facts, status, text } = inCopy({ packages, more: dir }, script);

  assert.equal(status, 0, text);
  installed(facts, "deb");
  assert.deepEqual([facts["unit complaint"], facts.hardened], [undefined, "yes"], text);
  assert.deepEqual([facts.upgraded, facts.removed, facts.purged], ["later kept", "gone kept", "gone nobody"]);
  assert.equal(facts.left, "", "nothing of it is left");
});

test("the RPM package installs, runs, upgrades with its data, and goes", {
  skip: notHere || (!has("rpmbuild") && "no rpmbuild"),
}, (t) => {
  const dir = folder(t);
  later("rpm", dir);
  // Debian's database of packages knows nothing of RPM's requirements.
  const rpm = "rpm --nodeps --dbpath /var/lib/rpm";
  const script = `
mkdir -p /var/lib/rpm
${rpm} -i /packages/${named(".rpm")}
${FACTS}${unit(t)}${SERVE}
${rpm} -U /more/later.rpm
echo "upgraded: $(/usr/bin/proxy --version) $(test -f /var/lib/mcpproxy/mcp_config.json && echo kept)"
${rpm} -e proxy
echo "removed: $(test -e /usr/bin/proxy || echo gone) $(test -f /var/lib/mcpproxy/mcp_config.json && echo kept)"
`;

  const { facts, status, text } = inCopy({ packages, more: dir }, script);

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

  const { facts, status, text } = inCopy({ packages }, script);

  assert.equal(status, 0, text);
  assert.equal(JSON.parse(facts.info!).update.install_channel, "tarball");
});
