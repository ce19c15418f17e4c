import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { type Machine, trustSteps } from "#lib/modules/tls/trust.ts";
import { foreign } from "#test/kit/tls.ts";

const machine = (platform: NodeJS.Platform, programs: string[] = [], nss: string[] = []): Machine => ({
  platform,
  home: "/home/ann",
  root: false,
  has: (program) => programs.includes(program),
  nss,
});

/** Command lines, `#` before those for the administrator; what differs with the certificate is cut short. */
async function lines(on: Machine, remove = false): Promise<string[]> {
  const authority = new X509Certificate((await foreign("CN=a", { from: Date.now(), days: 1 })).cert);
  const said = new Map([
    [authority.fingerprint256.replaceAll(":", "").slice(0, 12).toLowerCase(), "FP"],
    [authority.fingerprint.replaceAll(":", ""), "SHA1"],
    [authority.serialNumber, "SERIAL"],
  ]);
  return trustSteps(on, authority, "/d/ca.pem", remove).flatMap(({ commands, needsRoot }) =>
    commands.map((words) => {
      let text = words.join(" ");
      for (const [value, name] of said) text = text.replaceAll(value, name);
      return (needsRoot ? "# " : "") + text;
    }),
  );
}

const LOGIN = "/home/ann/Library/Keychains/login.keychain-db";
const DEBIAN = "/usr/local/share/ca-certificates/proxy-FP.crt";
const FEDORA = "/etc/pki/ca-trust/source/anchors/proxy-FP.pem";
const CASES: [rule: string, machine: Machine, add: string[], remove: string[]][] = [
  [
    "macOS: the login keychain, for TLS alone",
    machine("darwin"),
    [`security add-trusted-cert -r trustRoot -p ssl -k ${LOGIN} /d/ca.pem`],
    ["security remove-trusted-cert /d/ca.pem", `security delete-certificate -Z SHA1 ${LOGIN}`],
  ],
  [
    "Windows: the person's own store",
    machine("win32"),
    ["certutil -user -f -addstore Root /d/ca.pem"],
    ["certutil -user -delstore Root SERIAL"],
  ],
  [
    "Debian and its kin: the system's list, by its administrator",
    machine("linux", ["update-ca-certificates"]),
    [`# install -D -m 644 /d/ca.pem ${DEBIAN}`, "# update-ca-certificates"],
    [`# rm -f ${DEBIAN}`, "# update-ca-certificates"],
  ],
  [
    "Fedora and its kin",
    machine("linux", ["update-ca-trust", "trust"]),
    [`# install -D -m 644 /d/ca.pem ${FEDORA}`, "# update-ca-trust"],
    [`# rm -f ${FEDORA}`, "# update-ca-trust"],
  ],
  [
    "others with p11-kit",
    machine("linux", ["trust"]),
    ["# trust anchor --store /d/ca.pem"],
    ["# trust anchor --remove /d/ca.pem"],
  ],
  [
    "browsers that keep a list of their own, where there is the program for it",
    machine("linux", ["certutil"], ["/n"]),
    ["certutil -d sql:/n -A -t C,, -n proxy FP -i /d/ca.pem"],
    ["certutil -d sql:/n -D -n proxy FP"],
  ],
  ["nothing where nothing is known", machine("freebsd", [], ["/n"]), [], []],
];
for (const [rule, on, add, remove] of CASES)
  test(`an authority is trusted on ${rule}`, async () => {
    assert.deepEqual(await lines(on), add);
    assert.deepEqual(await lines(on, true), remove);
  });
