import assert from "node:assert/strict";
import { test } from "node:test";
import { isAllowedDestination, isInternalAddress } from "#lib/core/base/egress/address.ts";

const INWARD = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.127.255.254",
  "127.0.0.1",
  "127.255.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.168.1.1",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:169.254.169.254",
  "::ffff:0:127.0.0.1",
  "::ffff:0:a9fe:a9fe",
  "168.63.129.16",
  "64:ff9b::7f00:1",
  "64:ff9b::10.0.0.1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b::1",
  "64:ff9b:1::1",
  "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  "2001:db8::1",
  "2002:7f00:1::",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "ff02::1",
  "",
  "example.com",
  "127.1",
  "0x7f.0.0.1",
];
const OUTWARD = [
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.1",
  "100.63.255.255",
  "100.128.0.0",
  "128.0.0.1",
  "168.63.129.15",
  "169.253.0.1",
  "172.15.255.255",
  "172.32.0.1",
  "192.167.1.1",
  "198.20.0.1",
  "223.255.255.255",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8",
  "64:ff9b::808:808",
  "2606:4700::1111",
  "2a00:1450::1",
];

test("an address inside this machine's networks is told from one outside, in every way it can be written", () => {
  for (const address of INWARD) assert.equal(isInternalAddress(address), true, `"${address}" lies inside`);
  for (const address of OUTWARD) assert.equal(isInternalAddress(address), false, `${address} lies outside`);
});

test("an address inside is dialled only where its host, its port or its network is named", () => {
  const rows: [host: string, port: number, address: string, allow: string[], may: boolean][] = [
    ["example.com", 443, "93.184.216.34", [], true],
    ["example.com", 443, "10.0.0.1", [], false],
    ["example.com", 443, "10.0.0.1", ["example.com"], true],
    ["example.com", 443, "10.0.0.1", ["example.com:8443"], false],
    ["example.com", 8443, "10.0.0.1", ["example.com:8443"], true],
    ["a.example.com", 443, "10.0.0.1", [".example.com"], true],
    ["notexample.com", 443, "10.0.0.1", [".example.com"], false],
    ["example.com", 443, "10.0.0.1", ["10.0.0.0/24"], true],
    ["example.com", 443, "10.0.1.1", ["10.0.0.0/24"], false],
    ["127.0.0.1", 8080, "127.0.0.1", ["127.0.0.1:8080"], true],
    ["127.0.0.1", 8081, "127.0.0.1", ["127.0.0.1:8080"], false],
    ["127.0.0.1", 8081, "127.0.0.1", ["localhost"], false],
    ["::1", 80, "::1", ["::1"], true],
    ["meta.example", 80, "169.254.169.254", ["10.0.0.0/8", "other.example"], false],
  ];
  for (const [host, port, address, allow, may] of rows)
    assert.equal(
      isAllowedDestination(host, port, address, allow),
      may,
      `${host}:${port} at ${address} with ${allow.join(" ")}`,
    );
});
