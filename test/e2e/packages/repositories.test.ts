import assert from "node:assert/strict";
import { test } from "node:test";
import { has, inCopy } from "#test/kit/machine.ts";
import { notHere, packages, version } from "./made.ts";

/** Makes a key and signs as the release workflow does; prints the exported key to /proxy.asc. */
const SIGN = `
export GNUPGHOME=/run/gnupg
mkdir -m 700 $GNUPGHOME && cp -r /packages/apt /packages/dnf /run/
gpg --batch --quiet --passphrase '' --quick-generate-key release@example.com rsa2048 sign never
gpg --batch --clearsign --output /run/apt/dists/stable/InRelease /run/apt/dists/stable/Release
if [ -e /run/dnf/repodata ]; then gpg --batch --detach-sign --armor /run/dnf/repodata/repomd.xml; fi
gpg --armor --export > /proxy.asc
gpgconf --kill gpg-agent
`;

test("the signed apt repository installs the package, and a change in it is found", {
  skip: notHere || (has("apt-get") && has("gpg") ? false : "no apt-get or gpg"),
}, () => {
  const script = `${SIGN}
echo 'deb [signed-by=/proxy.asc] file:/run/apt stable main' > /etc/apt/proxy.list
options='-o Dir::Etc::sourcelist=/etc/apt/proxy.list -o Dir::Etc::sourceparts=/nowhere -o APT::Sandbox::User=root'
apt-get $options update -qq
apt-get $options install -y -qq --no-install-recommends proxy >/dev/null
echo "version: $(proxy --version)"
echo "origin: $(apt-cache $options policy proxy | grep -c file:/run/apt)"
sed -i s/^Origin:/Origin:x/ /run/apt/dists/stable/InRelease
echo "changed: $(apt-get $options update 2>&1 | grep -c 'signature.* invalid\\|not signed\\|BADSIG')"
`;
  const { facts, status, text } = inCopy({ packages }, script);

  assert.equal(status, 0, text);
  assert.deepEqual([facts.version, facts.origin], [version, "1"], text);
  assert.notEqual(facts.changed, "0", text);
});

test("the signed dnf repository installs the package", {
  skip: notHere || (has("dnf") && has("createrepo_c") && has("rpmbuild") ? false : "no dnf, createrepo_c or rpmbuild"),
}, () => {
  // Debian's RPM database is empty: one package stands for all that the proxy's package requires.
  const script = `${SIGN}
mkdir -p /run/base /run/repos
rpm -qpR /run/dnf/*.rpm | grep -v '^rpmlib' | sed 's/^/Provides: /' > /run/provides
{ printf 'Name: base\\nVersion: 1\\nRelease: 1\\nSummary: base\\nLicense: MIT\\nBuildArch: noarch\\n'; cat /run/provides
  printf '%%description\\nbase\\n%%files\\n'; } > /run/base.spec
rpmbuild -bb --quiet --define '_topdir /run/top' /run/base.spec
cp /run/top/RPMS/noarch/*.rpm /run/base && createrepo_c --quiet /run/base
printf '[base]\\nname=base\\nbaseurl=file:///run/base\\ngpgcheck=0\\n' > /run/repos/base.repo
printf '[proxy]\\nname=proxy\\nbaseurl=file:///run/dnf\\ngpgkey=file:///proxy.asc\\nrepo_gpgcheck=1\\ngpgcheck=0\\n' > /run/repos/proxy.repo
dnf="dnf -y -q --releasever=1 --setopt=reposdir=/run/repos --setopt=cachedir=/run/cache"
$dnf install proxy
echo "version: $(/usr/bin/proxy --version)"
echo "origin: $($dnf repoquery --installed --qf '%{from_repo}' proxy)"
$dnf remove proxy
echo "removed: $(test -e /usr/bin/proxy || echo gone)"
rm -rf /run/cache
echo "unchanged: $($dnf repoquery proxy 2>&1 | grep -c '^proxy-')"
rm -rf /run/cache && echo >> /run/dnf/repodata/repomd.xml
echo "changed: $($dnf repoquery proxy 2>&1 | grep -c '^proxy-')"
`;
  const { facts, status, text } = inCopy({ packages }, script);

  assert.equal(status, 0, text);
  assert.deepEqual([facts.version, facts.origin, facts.removed], [version, "proxy", "gone"], text);
  assert.deepEqual([facts.unchanged, facts.changed], ["1", "0"], text);
});
