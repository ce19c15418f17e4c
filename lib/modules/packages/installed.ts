import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { Launch } from "./launch.ts";

/** The local installation of what a server starts. */
export interface Installed {
  /** Folder of the installed files. */
  readonly dir: string;
  readonly name?: string;
  readonly version?: string;
  /** Digest of the package from the lock file beside it, such as `sha512-…`. */
  readonly integrity?: string;
  /** Origin of the package according to the lock file. */
  readonly resolved?: string;
  /** Whether a lock file is beside it. */
  readonly locked: boolean;
  /** Scripts that its package manager runs during installation. */
  readonly installScripts: Readonly<Record<string, string>>;
}

interface Around {
  readonly workingDir?: string | undefined;
  readonly home: string;
}

/** Largest manifest and lock file read. (bytes) */
const MAX_BYTES = 16 * 1024 * 1024;
/** Maximum number of cache folders that are searched, newest first. */
const MAX_CACHES = 60;
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall", "prepare"];

/**
 * Finds the files that a launch uses, without network access: in the working folder, in npx's cache, among the tools of
 * uv and pipx, or beside the program. Reads only manifests.
 *
 * @returns undefined if it is not installed, or not in the requested version
 */
export async function installedOf(launch: Launch, around: Around): Promise<Installed | undefined> {
  switch (launch.source) {
    case "npm":
      return await npm(launch, around);
    case "pypi":
      return await pypi(launch, around);
    case "program":
      return await program(launch, around);
    default:
      return undefined;
  }
}

async function npm({ name, version, pinned }: Launch, { workingDir, home }: Around): Promise<Installed | undefined> {
  if (!/^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name) || name.includes("..")) return undefined;
  const caches = await newest(join(home, ".npm", "_npx"));
  for (const root of [...(workingDir ? [workingDir] : []), ...caches]) {
    const dir = join(root, "node_modules", name);
    // A server may write to its working folder: a link out of it could make the proxy read other files.
    if (!(await staysIn(root, dir))) continue;
    const found = await manifest(dir, name, root);
    if (found && (!pinned || version === undefined || found.version === version.replace(/^v/, ""))) return found;
  }
  return undefined;
}

async function staysIn(root: string, dir: string): Promise<boolean> {
  const [outer, inner] = await Promise.all([root, dir].map((path) => realpath(path).catch(() => undefined)));
  return outer !== undefined && (inner?.startsWith(outer + sep) ?? false);
}

async function program({ name }: Launch, { workingDir, home }: Around): Promise<Installed | undefined> {
  const path = name.startsWith("~/") ? join(home, name.slice(2)) : resolve(workingDir ?? home, name);
  if (!isAbsolute(name) && !workingDir && !name.startsWith("~/")) return undefined;
  if (!(await stat(path).catch(() => undefined))?.isFile()) return undefined;
  let dir = dirname(path);
  for (let up = 0; up < 6 && dir !== dirname(dir) && dir !== home; up++, dir = dirname(dir)) {
    const root = /^(.*)[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)$/.exec(dir);
    const found = await manifest(dir, root?.[2]?.replaceAll("\\", "/"), root?.[1] ?? dir);
    if (found) return found;
  }
  // The folder of a single script could be anything, such as a home folder, and is not read.
  return undefined;
}

async function manifest(dir: string, name: string | undefined, root: string): Promise<Installed | undefined> {
  const manifest = await json(join(dir, "package.json"));
  if (!manifest) return undefined;
  const locked = await lockEntry(root, name === undefined ? "" : `node_modules/${name}`);
  const scripts = object(manifest.scripts) ?? {};
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  const [version, named] = [text(manifest.version), text(manifest.name) ?? name];
  const [integrity, resolved] = [text(locked?.integrity), text(locked?.resolved)];
  return {
    dir,
    ...(named !== undefined && { name: named }),
    ...(version !== undefined && { version }),
    ...(integrity !== undefined && { integrity }),
    ...(resolved !== undefined && { resolved }),
    locked: locked !== undefined,
    installScripts: Object.fromEntries(
      INSTALL_SCRIPTS.flatMap((key) => (typeof scripts[key] === "string" ? [[key, scripts[key]]] : [])),
    ),
  };
}

async function lockEntry(root: string, key: string): Promise<Record<string, unknown> | undefined> {
  for (const file of [join("node_modules", ".package-lock.json"), "package-lock.json", "npm-shrinkwrap.json"]) {
    const lock = await json(join(root, file));
    const entry = object(object(lock?.packages)?.[key]);
    if (entry) return entry;
  }
  return undefined;
}

async function pypi({ name, version, pinned }: Launch, { home }: Around): Promise<Installed | undefined> {
  if (!/^[\w.-]+$/.test(name) || name.startsWith(".")) return undefined;
  for (const tools of [".local/share/uv/tools", ".local/share/pipx/venvs", ".local/pipx/venvs"]) {
    const lib = join(home, tools, name, "lib");
    for (const python of await names(lib)) {
      const site = join(lib, python, "site-packages");
      const normalized = name.replace(/[-_.]+/g, "_").toLowerCase();
      for (const entry of await names(site)) {
        const [, distribution = "", found] = /^(.+?)-([^-]+)\.dist-info$/.exec(entry) ?? [];
        if (found === undefined || distribution.replace(/[-_.]+/g, "_").toLowerCase() !== normalized) continue;
        if (pinned && version !== undefined && version !== found) continue;
        const folder = (await names(site)).find((n) => n.toLowerCase() === normalized);
        return { dir: join(site, folder ?? entry), name, version: found, locked: false, installScripts: {} };
      }
    }
  }
  return undefined;
}

async function names(dir: string): Promise<string[]> {
  return (await readdir(dir).catch(() => [])).slice(0, 5000);
}

async function newest(dir: string): Promise<string[]> {
  const found = await Promise.all(
    (await names(dir)).map(async (name) => {
      const path = join(dir, name);
      return { path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  return found
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_CACHES)
    .map(({ path }) => path);
}

async function json(path: string): Promise<Record<string, unknown> | undefined> {
  try {
    if ((await stat(path)).size > MAX_BYTES) return undefined;
    return object(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}

function object(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
