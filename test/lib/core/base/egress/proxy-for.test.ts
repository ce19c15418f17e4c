import assert from "node:assert/strict";
import { test } from "node:test";
import { type ProcessEnvironment, proxyFor, unusableProxies } from "#lib/core/base/egress/proxy-for.ts";

const BOTH = { HTTP_PROXY: "http://plain:3128", HTTPS_PROXY: "http://tls:3128" };

test("an address has the proxy of its scheme, unless it is this machine or excluded", () => {
  const rows: [env: ProcessEnvironment, url: string, origin: string | undefined][] = [
    [{}, "https://a.example/", undefined],
    [BOTH, "http://a.example/", "http://plain:3128"],
    [BOTH, "https://a.example/", "http://tls:3128"],
    [{ https_proxy: "http://lower:1", HTTPS_PROXY: "http://upper:1" }, "https://a.example/", "http://lower:1"],
    [{ https_proxy: "", HTTPS_PROXY: "http://upper:1" }, "https://a.example/", "http://upper:1"],
    [{ ALL_PROXY: "http://all:1" }, "http://a.example/", "http://all:1"],
    [{ ALL_PROXY: "http://all:1", HTTPS_PROXY: "http://tls:2" }, "https://a.example/", "http://tls:2"],
    [{ HTTPS_PROXY: "bare:8080" }, "https://a.example/", "http://bare:8080"],
    [{ HTTPS_PROXY: "https://secure" }, "https://a.example/", "https://secure"],
    [{ HTTP_PROXY: "http://plain:3128" }, "https://a.example/", undefined],
    ...["http://localhost:1/", "http://127.0.0.1/", "http://127.9.9.9/", "https://[::1]/", "http://x.localhost/"].map(
      (url): [ProcessEnvironment, string, undefined] => [BOTH, url, undefined],
    ),
    ...(
      [
        ["*", "https://a.example/"],
        ["a.example", "https://a.example/"],
        ["A.Example", "https://a.example/"],
        ["example", "https://a.example/"],
        [".example", "https://a.example/"],
        ["*.example", "https://a.example/"],
        ["b.test, a.example:443", "https://a.example/"],
        ["a.example", "https://a.example./"],
        ["10.0.0.0/8", "https://10.1.2.3/"],
        ["10.1.2.3", "https://10.1.2.3/"],
        ["fd00::/8", "https://[fd00::1]/"],
      ] as const
    ).map(([NO_PROXY, url]): [ProcessEnvironment, string, undefined] => [{ ...BOTH, NO_PROXY }, url, undefined]),
    ...(
      [
        ["example", "https://notexample/"],
        ["a.example:8443", "https://a.example/"],
        ["10.0.0.0/8", "https://11.1.2.3/"],
        ["a.example", "https://b.example/"],
      ] as const
    ).map(([NO_PROXY, url]): [ProcessEnvironment, string, string] => [{ ...BOTH, NO_PROXY }, url, "http://tls:3128"]),
  ];

  for (const [env, url, origin] of rows)
    assert.equal(proxyFor(new URL(url), env)?.origin, origin, JSON.stringify([env, url]));
});

test("user and password of a proxy become a header and are in nothing that is shown", () => {
  const proxy = proxyFor(new URL("https://a.example/"), { HTTPS_PROXY: "http://me:p%40ss@proxy:3128" });

  assert.deepEqual(proxy, {
    variable: "HTTPS_PROXY",
    origin: "http://proxy:3128",
    authorization: `Basic ${Buffer.from("me:p@ss").toString("base64")}`,
  });
});

test("a proxy that cannot be used counts as none and is named without its password", () => {
  const rows: [value: string, reason: RegExp][] = [
    ["socks5://me:secret@proxy:1080", /scheme socks5:\/\/, but only http:\/\/ and https:\/\/ are supported/],
    ["http://", /no address/],
    ["http://proxy:port", /no address/],
  ];
  for (const [value, reason] of rows) {
    const env = { HTTPS_PROXY: value };
    assert.equal(proxyFor(new URL("https://a.example/"), env), undefined);
    const [found] = unusableProxies(env);
    assert.match(`${found?.variable}: ${found?.reason}`, reason);
    assert.doesNotMatch(JSON.stringify(found), /secret/);
  }
  assert.deepEqual(unusableProxies(BOTH), []);
});
