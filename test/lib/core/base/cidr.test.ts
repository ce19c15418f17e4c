import assert from "node:assert/strict";
import { test } from "node:test";
import { cidrSet, isCidr } from "#lib/core/base/cidr.ts";

test("CIDRs and single addresses are accepted, host names are not (spec 001 §5.3)", () => {
  const good = [
    "10.0.0.0/8",
    "192.168.1.7",
    "0.0.0.0/0",
    "10.1.2.3/32",
    "::1",
    "fd00::/8",
    "::ffff:10.0.0.1",
    "2001:db8::/128",
  ];
  const bad = [
    "",
    "localhost",
    "proxy.example.com",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "10.0.0.0/08",
    "10.0.0.0/8/8",
    "10.0.0",
    "fd00::/129",
    "fe80::1%eth0",
    " 10.0.0.1",
    "*",
  ];

  for (const text of good) assert.equal(isCidr(text), true, text);
  for (const text of bad) assert.equal(isCidr(text), false, text);
});

test("membership respects prefix and family, and reads IPv4 inside IPv6", () => {
  const inside = cidrSet(["10.0.0.0/8", "192.168.1.7", "fd00::/8", "not an address"]);
  const rows: [address: string, member: boolean][] = [
    ["10.255.0.1", true],
    ["11.0.0.1", false],
    ["192.168.1.7", true],
    ["192.168.1.8", false],
    ["fd12::1", true],
    ["fe80::1", false],
    ["::ffff:10.1.1.1", true],
    ["::ffff:11.1.1.1", false],
    ["nonsense", false],
    ["", false],
  ];

  for (const [address, member] of rows) assert.equal(inside(address), member, address);
});
