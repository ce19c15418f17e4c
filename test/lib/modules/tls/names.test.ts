import assert from "node:assert/strict";
import { test } from "node:test";
import { certificateNames, type Named } from "#lib/modules/tls/names.ts";

const HERE = ["127.0.0.1", "::1", "localhost"];
const config = (more: Partial<Record<keyof Named, unknown>>) =>
  ({ listen: "127.0.0.1:8080", trusted_hosts: [], ...more }) as unknown as Named;

const CASES: [rule: string, config: Named, more: string[]][] = [
  ["this machine by loopback, always", config({}), []],
  ["nothing is listened on, and still it is this machine", config({ listen: "" }), []],
  ["the host of listen", config({ listen: "Box.lan:8443" }), ["box.lan"]],
  ["an address of listen", config({ listen: "192.168.1.2:8443" }), ["192.168.1.2"]],
  ["the machine's own name on every interface", config({ listen: "0.0.0.0:8443" }), ["machine-1"]],
  ["and of either family", config({ listen: "[::]:8443" }), ["machine-1"]],
  ["and without a host at all", config({ listen: ":8443" }), ["machine-1"]],
  [
    "the host of public_url",
    config({ server_edition: { public_url: "https://mcp.example.com" } }),
    ["mcp.example.com"],
  ],
  [
    "its address without brackets",
    config({ server_edition: { public_url: "https://[2001:db8::1]:9" } }),
    ["2001:db8::1"],
  ],
  [
    "hosts of trusted_hosts, their ports left out",
    config({ trusted_hosts: ["a.test", "b.test:9", "a.test"] }),
    ["a.test", "b.test"],
  ],
  ["a domain and what is one below it", config({ trusted_hosts: [".lab.test"] }), ["*.lab.test", "lab.test"]],
  [
    "nothing for the star, and nothing that no certificate can hold",
    config({ trusted_hosts: ["*", "a_b.test", "-x.test"] }),
    [],
  ],
];
for (const [rule, wanted, more] of CASES)
  test(`a certificate stands for ${rule}`, () => {
    assert.deepEqual(certificateNames(wanted, "Machine-1"), [...HERE, ...more].sort());
  });
