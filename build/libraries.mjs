// @ts-check
/**
 * Keeps npm packages that a start does not need out of the program: they are scripts of their own in dist/assets, which
 * `lib/core/base/load-library.ts` runs when a module that imports one of them is loaded. V8 reads what it knows of all
 * functions of a script at once, those that never run too, so each start would pay for them.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Scripts, and what modules import from them. Packages with common dependencies are in one script. */
const SCRIPTS = {
  certificates: [
    // The others need it when they are loaded.
    "reflect-metadata",
    "@peculiar/asn1-schema",
    "@peculiar/asn1-x509",
    "@peculiar/x509",
    "@simplewebauthn/server",
  ],
  documents: ["diff", "smol-toml", "yaml"],
  identity: ["jose", "oidc-provider", "openid-client"],
  mail: ["nodemailer"],
  metrics: ["prom-client"],
  postgres: ["pg"],
  rest: [
    "@hono/node-server",
    "hono",
    "hono/route",
    "hono/router/trie-router",
    "undici/lib/core/util.js",
    "undici/lib/web/webidl/index.js",
    "undici/lib/web/fetch/util.js",
    "undici/lib/web/fetch/body.js",
    "undici/lib/web/fetch/formdata.js",
    "undici/lib/web/fetch/headers.js",
    "undici/lib/web/fetch/request.js",
    "undici/lib/web/fetch/response.js",
  ],
  search: ["@orama/orama"],
  telemetry: ["@opentelemetry/api", "@opentelemetry/core", "@opentelemetry/resources"],
  undici: [
    "undici/lib/api/index.js",
    "undici/lib/dispatcher/dispatcher.js",
    "undici/lib/dispatcher/pool.js",
    "undici/lib/dispatcher/proxy-agent.js",
  ],
};

/** The script of each package. */
const SCRIPT_OF = new Map(
  Object.entries(SCRIPTS).flatMap(([script, packages]) => packages.map((name) => [name, `library-${script}`])),
);

/**
 * Replaces the packages in the program by modules that load their script.
 * @type {import("esbuild").Plugin}
 */
export const libraries = {
  name: "libraries",
  setup({ onResolve, onLoad }) {
    const names = exportNames();
    onResolve({ filter: /^[@a-z]/ }, ({ path, namespace }) =>
      SCRIPT_OF.has(path) && namespace === "file" ? { path, namespace: "package" } : undefined,
    );
    onResolve({ filter: /^script:/ }, ({ path }) => ({ path: path.slice("script:".length), namespace: "script" }));
    onLoad({ filter: /.*/, namespace: "package" }, ({ path }) => ({
      contents: exportsOf(path, names[path] ?? []),
      resolveDir: root,
    }));
    onLoad({ filter: /.*/, namespace: "script" }, ({ path }) => ({
      contents: `import { loadLibrary } from "./lib/core/base/load-library.ts";
        export const packages = loadLibrary(${JSON.stringify(path)});`,
      resolveDir: root,
    }));
  },
};

/** A module with the exports of a package, taken from its script. @param {string} name @param {string[]} names */
function exportsOf(name, names) {
  return [
    `import { packages } from "script:${SCRIPT_OF.get(name)}";`,
    `const found = packages[${JSON.stringify(name)}]();`,
    ...names.map(
      (one, i) => `const e${i} = found[${JSON.stringify(one)}]; export { e${i} as ${JSON.stringify(one)} };`,
    ),
  ].join("\n");
}

/**
 * The names that each package exports, according to Node; without the default export of a CommonJS module that calls
 * itself an ES module, which esbuild and Node understand differently. @returns {Record<string, string[]>}
 */
function exportNames() {
  const program = `const names = {};
    for (const name of ${JSON.stringify([...SCRIPT_OF.keys()])}) {
      const all = Object.keys(await import(name));
      const left = ["__esModule", "module.exports", ...(all.includes("__esModule") ? ["default"] : [])];
      names[name] = all.filter((one) => !left.includes(one));
    }
    console.log(JSON.stringify(names));`;
  // A process of its own, because packages print warnings when they are loaded.
  const stdio = /** @type {const} */ (["ignore", "pipe", "ignore"]);
  const options = /** @type {const} */ ({ cwd: root, encoding: "utf8", stdio });
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", program], options));
}

/**
 * Bundles the scripts, minified and wrapped as functions. @param {import("esbuild").BuildOptions} common
 * @returns {Promise<Map<string, Buffer>>} asset names and texts
 */
export async function libraryScripts(common) {
  const made = Object.entries(SCRIPTS).map(async ([script, packages]) => {
    const members = packages.map((name) => `${JSON.stringify(name)}: () => require("package:${name}").all`);
    const { outputFiles } = await build({
      ...common,
      minify: true,
      // oidc-provider stores its records by the names of its classes.
      keepNames: script === "identity",
      write: false,
      stdin: { contents: `export const packages = { ${members.join(", ")} };`, resolveDir: root },
      banner: { js: "const __bundle_url=require('node:url').pathToFileURL(__filename).href;" },
      define: {
        "import.meta.url": "__bundle_url",
        // @hono/node-server reads it for WebSockets, which the proxy does not serve; Node would load its `fetch` for it.
        "globalThis.CloseEvent": "undefined",
      },
      plugins: [wholePackages],
    });
    return /** @type {const} */ ([`library-${script}.cjs`, Buffer.from(asFunction(outputFiles[0].text))]);
  });
  return new Map(await Promise.all(made));
}

/**
 * `package:x` has all exports of x, as `import` gives them; `require` could find another build of the package.
 * @type {import("esbuild").Plugin}
 */
const wholePackages = {
  name: "whole packages",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^package:/ }, ({ path }) => ({ path: path.slice("package:".length), namespace: "package" }));
    onLoad({ filter: /.*/, namespace: "package" }, ({ path }) => ({
      contents: `import * as all from ${JSON.stringify(path)}; export { all };`,
      resolveDir: root,
    }));
  },
};

/**
 * Wraps a CommonJS text in the function that its loader runs. esbuild leaves non-ASCII characters in regular
 * expressions; escaped, the text is a one-byte string.
 * @param {string} text
 */
export function asFunction(text) {
  const ascii = text
    .replace(/^#!.*/, "")
    .replace(/[^\x00-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `(function(require,module,exports,__filename,__dirname){${ascii}\n})`;
}
