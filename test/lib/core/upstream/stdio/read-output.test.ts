import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { readOutput } from "#lib/core/upstream/stdio/read-output.ts";

const rows: Record<string, [output: string, last: string]> = {
  "a package that npm does not find": [
    `npm error code E404
npm error 404 Not Found - GET https://registry.example/missing - Not found
npm error 404
npm error 404  'missing@*' is not in this registry.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git url.
npm error A complete log of this run can be found in: /home/me/.npm/_logs/x-debug-0.log`,
    "npm error 404 Not Found - GET https://registry.example/missing - Not found | npm error 404  'missing@*' is not in this registry.",
  ],
  "a module that Node does not find": [
    `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/srv/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2`,
    "Error: Cannot find module '/srv/server.js' |   code: 'MODULE_NOT_FOUND', |   requireStack: []",
  ],
  "a module that a package of npx does not find": [
    `Error: Cannot find module 'ajv'
Require stack:
- /home/me/.npm/_npx/5895/node_modules/a.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [
    '/home/me/.npm/_npx/5895/node_modules/a.js'
  ]
}`,
    "Error: Cannot find module 'ajv' |   code: 'MODULE_NOT_FOUND', |   requireStack: [ |     '/home/me/.npm/_npx/5895/node_modules/a.js'",
  ],
  "an exception in Python": [
    `Traceback (most recent call last):
  File "/srv/server.py", line 1, in <module>
    import mcp
ModuleNotFoundError: No module named 'mcp'`,
    `  File "/srv/server.py", line 1, in <module> |     import mcp | ModuleNotFoundError: No module named 'mcp'`,
  ],
  "a message in another script": ["не найдено", "не найдено"],
};

for (const [what, [output, last]] of Object.entries(rows))
  test(`the end of ${what} is reported by the lines that name the reason`, async () => {
    const stream = new PassThrough();
    const words = readOutput(stream, { mask: (text) => text, onLine: () => {} });

    stream.end(`${output}\n`);
    await new Promise((done) => stream.once("close", done));

    assert.equal(words(), last);
  });
