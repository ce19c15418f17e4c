// @ts-check
/**
 * `npm run build:clients [-- typescript|python … --out FOLDER]`: generates the packages of the REST clients from
 * docs/openapi.json, in dist/clients. TypeScript: openapi-typescript, in the versions of `package-lock.json` beside this
 * file. Python: openapi-python-client, run by the Python that TEST_PYTHON_CLIENTS names
 * (`test/python/install.sh clients python`).
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { FetchError } from "../fetch.mjs";
import { epoch, homepage, license, version } from "../release.mjs";
import { gzip, tar, withFolders } from "../tar.mjs";
import { npmTool } from "../tool.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Endpoints for programs; the others are pages, sign-ins and MCP. */
const FOR_PROGRAMS = /^\/(?:api\/|healthz$|readyz$|metrics$)/;

/** Writes the description of the endpoints for programs. @param {string} file */
function writeDescription(file) {
  const document = JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8"));
  document.paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => FOR_PROGRAMS.test(path)));
  writeFileSync(file, JSON.stringify(document));
}

/** @type {Record<string, (description: string, folder: string, out: string) => void | Promise<void>>} */
const CLIENTS = { typescript: typescriptClient, python: pythonClient };

/** @param {string[]} languages @param {string} out */
export async function buildClients(languages, out) {
  mkdirSync(out, { recursive: true });
  const description = join(out, "openapi.json");
  writeDescription(description);
  for (const language of languages) {
    const make = CLIENTS[language];
    if (!make) throw new Error(`unknown language "${language}"; one of ${Object.keys(CLIENTS).join(", ")}`);
    const folder = join(out, language);
    rmSync(folder, { recursive: true, force: true });
    await make(description, folder, out);
  }
}

/** The npm package, as a folder and packed. @param {string} description @param {string} folder @param {string} out */
async function typescriptClient(description, folder, out) {
  const tool = npmTool("clients", here);
  const { dependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  cpSync(join(here, "typescript"), folder, { recursive: true });
  const generator = join(tool, "node_modules/openapi-typescript/bin/cli.js");
  execFileSync(process.execPath, [generator, description, "-o", join(folder, "schema.d.ts")], {
    cwd: tool,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const manifest = {
    name: process.env.PROXY_CLIENT_NPM_NAME || "proxy-client",
    version,
    description: "Typed client of the REST API of proxy",
    license,
    ...(homepage && { homepage }),
    type: "module",
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    sideEffects: false,
    engines: { node: ">=18" },
    dependencies: { "openapi-fetch": dependencies["openapi-fetch"] },
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const files = readdirSync(folder).map((name) => ({
    path: `package/${name}`,
    mode: 0o644,
    data: readFileSync(join(folder, name)),
  }));
  writeFileSync(join(out, `proxy-client-${version}.tgz`), await gzip(tar(withFolders(files), epoch())));
}

/** The Python package, as a folder and as a wheel. @param {string} description @param {string} folder @param {string} out */
function pythonClient(description, folder, out) {
  const python = process.env.TEST_PYTHON_CLIENTS;
  if (!python)
    throw new FetchError("the Python client needs TEST_PYTHON_CLIENTS=$(test/python/install.sh clients python)");
  const plain = join(out, "openapi-python.json");
  writeFileSync(plain, JSON.stringify(withoutConstants(JSON.parse(readFileSync(description, "utf8")))));
  const config = ["--config", join(here, "python/config.yml"), "--fail-on-warning"];
  run(python, ["-m", "openapi_python_client", "generate", "--path", plain, "--output-path", folder, ...config]);
  rmSync(plain);
  // The generator does not check what it writes.
  const parse =
    "import ast, pathlib, sys; [ast.parse(p.read_text(), p) for p in pathlib.Path(sys.argv[1]).rglob('*.py')]";
  run(python, ["-c", parse, folder]);
  writeFileSync(join(folder, "README.md"), readFileSync(join(here, "python/README.md")));
  const wheel = ["-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"];
  run(python, [...wheel, "--wheel-dir", out, folder], { SOURCE_DATE_EPOCH: String(epoch()) });
}

/**
 * Replaces constants that are no texts by their type: openapi-python-client 0.29.1 writes invalid code for an optional
 * one (`!= Trueand not isinstance(…)`).
 * @param {unknown} value @returns {unknown}
 */
function withoutConstants(value) {
  if (Array.isArray(value)) return value.map(withoutConstants);
  if (typeof value !== "object" || value === null) return value;
  if ("const" in value && (typeof value.const === "boolean" || typeof value.const === "number")) {
    const { const: constant, ...rest } = value;
    return { type: typeof constant, ...rest };
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutConstants(member)]));
}

/** @param {string} command @param {string[]} args @param {Record<string, string>} [env] @throws Error with its output */
function run(command, args, env = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${[command, ...args].join(" ")} failed: ${error?.message ?? stdout + stderr}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { out: { type: "string", default: join(root, "dist/clients") } },
    allowPositionals: true,
  });
  await buildClients(positionals.length > 0 ? positionals : Object.keys(CLIENTS), values.out);
  console.log(values.out);
}
