import assert from "node:assert/strict";
import { test } from "node:test";
import { installPlan, recipeText } from "#lib/modules/registry/derive/install-plan.ts";
import type { InstallHost, Recipe } from "#lib/modules/registry/derive/recipe.ts";
import { officialEntry } from "#lib/modules/registry/protocols/official.ts";
import { verifies } from "#test/kit/verifies.ts";

const HOST: InstallHost = { engine: "docker", allowsPrivateAddresses: false };

function plan(parts: object, host = HOST) {
  const found = officialEntry({ server: { name: "com.example/tool", description: "d", version: "1.0.0", ...parts } });
  assert.ok(found);
  return installPlan(found.entry, host);
}

const given = (parts: object, env: Record<string, string> = {}): Recipe =>
  plan(parts).recipeFor(({ name }) => env[name]);
const npm = (more: object) => ({ packages: [{ registryType: "npm", identifier: "tool", version: "1.2.3", ...more }] });
const oci = (more: object) => ({ packages: [{ registryType: "oci", identifier: "ghcr.io/a/b:1.2.3", ...more }] });
const remote = (more: object) => ({
  remotes: [{ type: "streamable-http", url: "https://mcp.example.com/mcp", ...more }],
});
const positional = (value: string) => ({ type: "positional", value });

verifies("rest.registries.derived", "a server is run as its entry says, in the version it names", () => {
  const rows: [object, Record<string, string>, string][] = [
    [npm({}), {}, "npx -y tool@1.2.3"],
    [npm({ identifier: "@scope/tool", runtimeHint: "npx" }), {}, "npx -y @scope/tool@1.2.3"],
    [npm({ packageArguments: [positional("--stdio"), positional("a b")] }), {}, "npx -y tool@1.2.3 --stdio 'a b'"],
    [npm({ runtimeArguments: [positional("-y")] }), {}, "npx -y tool@1.2.3"],
    [
      npm({
        packageArguments: [
          { type: "named", name: "--port", default: "80" },
          { type: "named", name: "--quiet" },
        ],
      }),
      {},
      "npx -y tool@1.2.3 --port 80 --quiet",
    ],
    [
      npm({ packageArguments: [{ type: "named", name: "--port", default: "80" }] }),
      { port: "81" },
      "npx -y tool@1.2.3 --port 81",
    ],
    [
      npm({ packageArguments: [{ type: "positional", valueHint: "folder", isRequired: true }] }),
      { folder: "/srv/my notes" },
      "npx -y tool@1.2.3 '/srv/my notes'",
    ],
    [
      { packages: [{ registryType: "pypi", identifier: "my-tool", version: "2026.1.5rc1" }] },
      {},
      "uvx my-tool@2026.1.5rc1",
    ],
    [
      { packages: [{ registryType: "nuget", identifier: "My.Tool", version: "1.0.0-beta" }] },
      {},
      "dnx My.Tool@1.0.0-beta --yes --",
    ],
    [oci({}), {}, "docker run -i --rm ghcr.io/a/b:1.2.3"],
    [oci({ identifier: "a/b", version: "7" }), {}, "docker run -i --rm a/b:7"],
    [
      oci({ identifier: "a/b", version: "7", registryBaseUrl: "https://ghcr.io" }),
      {},
      "docker run -i --rm ghcr.io/a/b:7",
    ],
    [oci({ identifier: `a/b:1@sha256:${"0".repeat(64)}` }), {}, `docker run -i --rm a/b@sha256:${"0".repeat(64)}`],
    [
      oci({ environmentVariables: [{ name: "API_KEY", isRequired: true }] }),
      { API_KEY: "k" },
      "docker run -i --rm -e API_KEY ghcr.io/a/b:1.2.3",
    ],
    [
      oci({
        runtimeArguments: [
          {
            type: "named",
            name: "--mount",
            value: "type=bind,src={folder},dst=/data",
            variables: { folder: { isRequired: true } },
          },
        ],
      }),
      { folder: "/srv/a" },
      "docker run -i --rm --mount type=bind,src=/srv/a,dst=/data ghcr.io/a/b:1.2.3",
    ],
    [remote({}), {}, "https://mcp.example.com/mcp"],
    [
      remote({ url: "https://{tenant}.example.com/{path}?k={key}", variables: { tenant: {}, path: {}, key: {} } }),
      { tenant: "acme", path: "a/../b", key: "x&y=z" },
      "https://acme.example.com/a%2F..%2Fb?k=x%26y%3Dz",
    ],
  ];
  for (const [parts, env, text] of rows) assert.equal(recipeText(given(parts, env)), text);
});

test("variables and headers hold what is given, what is said and what is the default", () => {
  const local = given(
    npm({
      environmentVariables: [
        { name: "TOKEN", isRequired: true, isSecret: true },
        { name: "MODE", default: "fast" },
        { name: "SPARE" },
        { name: "FIXED", value: "on" },
      ],
    }),
    { TOKEN: "t" },
  );
  assert.deepEqual("env" in local && local.env, { TOKEN: "t", MODE: "fast", FIXED: "on" });

  const headers = [
    { name: "Authorization", value: "Bearer {token}", variables: { token: { isSecret: true } }, isRequired: true },
    { name: "X-Team", value: "{team}", variables: { team: {} } },
  ];
  const far = given(remote({ headers }), { token: "${keyring:t}" });
  assert.deepEqual("headers" in far && far.headers, { Authorization: "Bearer ${keyring:t}" });
});

test("what nothing works without is asked for, the rest is offered", () => {
  const { inputs, sample } = plan(
    npm({
      environmentVariables: [
        { name: "A", isRequired: true },
        { name: "B", isRequired: true, default: "b" },
        { name: "C" },
      ],
      packageArguments: [{ type: "named", name: "--api-key", isRequired: true }],
    }),
  );
  assert.deepEqual(
    inputs.map(({ input, needed }) => [input.name, needed, input.secret]),
    [
      ["A", true, false],
      ["B", false, false],
      ["C", false, false],
      ["api-key", true, true],
    ],
  );
  assert.equal(recipeText(sample), "npx -y tool@1.2.3 --api-key <api-key>");
});

test("packages come before remote servers, and those that cannot be run are passed over", () => {
  const both = { ...npm({ registryType: "mcpb" }), ...remote({}) };
  assert.equal(recipeText(given(both)), "https://mcp.example.com/mcp");
  assert.equal(recipeText(given({ ...npm({}), ...remote({}) })), "npx -y tool@1.2.3");
});

test("nothing hostile in an entry becomes a command, an option, an address or a reference", () => {
  const rows: [object, RegExp][] = [
    [{}, /neither a package nor a URL/],
    [npm({ identifier: "--foo" }), /"--foo" is not a valid name of a package/],
    [npm({ identifier: "-c" }), /not a valid name of a package/],
    [npm({ identifier: "tool; rm -rf ~" }), /not a valid name of a package/],
    [npm({ identifier: "../../etc" }), /not a valid name of a package/],
    [npm({ identifier: "git+https://evil.example/x" }), /not a valid name of a package/],
    [npm({ identifier: "" }), /not a valid name of a package/],
    [npm({ version: "latest" }), /"latest" is not a single version/],
    [npm({ version: "^1.0.0" }), /not a single version/],
    [npm({ version: ">=1" }), /not a single version/],
    [npm({ version: "1.x" }), /not a single version/],
    [npm({ version: "1.0.0 --registry=http://evil.example" }), /not a single version/],
    [npm({ version: undefined }), /names no version/],
    [npm({ registryBaseUrl: "https://evil.example" }), /comes from https:\/\/evil.example/],
    [npm({ registryType: "mcpb" }), /cannot run packages of type "mcpb"/],
    [npm({ registryType: "constructor" }), /cannot run packages/],
    [npm({ transport: { type: "streamable-http", url: "http://localhost" } }), /not stdio/],
    [npm({ runtimeArguments: [positional("--call=sh")] }), /passes "--call=sh" to npx/],
    [
      npm({ runtimeArguments: [{ type: "named", name: "--registry", value: "http://evil.example" }] }),
      /passes ".*" to npx/,
    ],
    [npm({ environmentVariables: [{ name: "NODE_OPTIONS", value: "--require /tmp/x" }] }), /sets NODE_OPTIONS/],
    [npm({ environmentVariables: [{ name: "npm_config_registry", value: "x" }] }), /sets npm_config_registry/],
    [npm({ environmentVariables: [{ name: "LD_PRELOAD", value: "x" }] }), /sets LD_PRELOAD/],
    [npm({ environmentVariables: [{ name: "A=B" }] }), /not a valid name of an environment variable/],
    [
      npm({ environmentVariables: [{ name: "A", value: "${keyring:github}" }] }),
      /refers to this machine's environment/,
    ],
    [npm({ environmentVariables: [{ name: "A", default: "${env:HOME}" }] }), /refers to this machine's environment/],
    [npm({ packageArguments: [positional("${env:AWS_SECRET_ACCESS_KEY}")] }), /refers to this machine's environment/],
    [oci({ identifier: "ghcr.io/a/b" }), /names no version of the image/],
    [oci({ identifier: "ghcr.io/a/b:latest" }), /"latest" is not a single version of the image/],
    [oci({ identifier: "--privileged" }), /not a valid image name/],
    [oci({ identifier: "a/b:1 --privileged" }), /not a valid image name/],
    [oci({ runtimeArguments: [positional("--privileged")] }), /passes "--privileged" to the container engine/],
    [oci({ runtimeArguments: [{ type: "named", name: "--network", value: "host" }] }), /"--network"/],
    [oci({ runtimeArguments: [{ type: "named", name: "-v", value: "/:/host" }] }), /"-v"/],
    [
      oci({
        runtimeArguments: [
          { type: "named", name: "--mount", value: "type=bind,src={a},dst=/d", variables: { a: { default: "/" } } },
        ],
      }),
      /"--mount"/,
    ],
    [oci({ environmentVariables: [{ name: "DOCKER_HOST", value: "tcp://evil.example" }] }), /sets DOCKER_HOST/],
    [remote({ url: "http://mcp.example.com/mcp" }), /is not https/],
    [remote({ url: "https://127.0.0.1/mcp" }), /in a private network/],
    [remote({ url: "https://[::1]/mcp" }), /in a private network/],
    [remote({ url: "https://169.254.169.254/latest" }), /in a private network/],
    [remote({ url: "https://0x7f.1/mcp" }), /in a private network/],
    [remote({ url: "https://metadata.google.internal/x" }), /in a private network/],
    [remote({ url: "https://user:pass@mcp.example.com/" }), /user name or password/],
    [remote({ url: "file:///etc/passwd" }), /is not https|is not a valid URL/],
    [remote({ url: "https://evil.example/?k=${env:HOME}" }), /refers to this machine's environment/],
    [remote({ type: "ws" }), /with the transport "ws"/],
    [remote({ headers: [{ name: "Host", value: "internal" }] }), /header Host/],
    [remote({ headers: [{ name: "X\r\nY", value: "a" }] }), /not a valid header name/],
    [remote({ headers: [{ name: "X", value: "Bearer ${keyring:github}" }] }), /refers to this machine's environment/],
  ];
  for (const [parts, reason] of rows) assert.throws(() => plan(parts), reason, JSON.stringify(parts));
});

test("what is given stays in its place", () => {
  const host = remote({ url: "https://{tenant}.example.com/mcp", variables: { tenant: {} } });
  for (const tenant of ["evil.example/", "a@evil.example", "x?", "x#", "a\\b"])
    assert.throws(() => given(host, { tenant }), /cannot be part of a host name/, tenant);
  const whole = remote({ url: "{base}/mcp", variables: { base: {} } });
  assert.throws(() => given(whole, { base: "http://10.0.0.1" }), /is not https/);
  assert.equal(recipeText(given(whole, { base: "https://crm.example.com" })), "https://crm.example.com/mcp");
});

test("what does not fit into a type is left out, never fatal", () => {
  for (const nonsense of [
    null,
    7,
    "x",
    [],
    { name: 7 },
    { server: [] },
    { name: "a b" },
    { name: "a\u202eb" },
    { name: "-x" },
  ])
    assert.equal(officialEntry(nonsense), undefined, JSON.stringify(nonsense));
  const odd = officialEntry({
    name: "a",
    description: ["no"],
    title: "Pay\u202eroll\u0007 \u200btool\nnow",
    packages: "none",
    remotes: [null, { url: { deep: true } }],
    version: { major: 1 },
    tags: [1, "Good", null],
  });
  assert.deepEqual(
    [odd?.entry.name, odd?.entry.description, odd?.entry.version],
    ["Pay\u202eroll \u200btool now", "", undefined],
  );
  assert.deepEqual(odd?.entry.tags, ["good", "remote"]);
});
