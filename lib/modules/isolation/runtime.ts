import { basename } from "node:path";

/** The runtime that a command needs in its image. */
export type Runtime = "python" | "node" | "go" | "rust" | "ruby" | "php" | "binary";

const RUNTIMES: Readonly<Record<string, Runtime>> = {
  python: "python",
  python3: "python",
  uv: "python",
  uvx: "python",
  pip: "python",
  pipx: "python",
  node: "node",
  npm: "node",
  npx: "node",
  pnpm: "node",
  yarn: "node",
  go: "go",
  cargo: "rust",
  rustc: "rust",
  ruby: "ruby",
  gem: "ruby",
  php: "php",
  composer: "php",
};

/** Default image of each runtime; the configuration can set another one by command or runtime. */
const IMAGES: Readonly<Record<Runtime, string>> = {
  python: "ghcr.io/astral-sh/uv:python3.13-bookworm-slim",
  node: "node:22",
  go: "golang:1.25-alpine",
  rust: "rust:1-slim",
  ruby: "ruby:3.4-alpine",
  php: "php:8.4-cli-alpine",
  binary: "debian:stable-slim",
};

/** The name of a command without folder and extension: `npx`, `/usr/bin/npx` and `npx.cmd` are the same. */
export const commandName = (command: string) =>
  basename(command.replaceAll("\\", "/")).replace(/\.(?:exe|cmd|bat)$/i, "");

/** A table's own property only: a program may be called `constructor`, which every object inherits. */
const ownEntry = <T>(table: Readonly<Record<string, T>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Returns the runtime that a command needs, such as `node` for `npx`; `binary` for an unknown command. */
export function runtimeOf(command: string): Runtime {
  const name = commandName(command);
  return ownEntry(RUNTIMES, name) ?? ownEntry(RUNTIMES, name.replace(/[\d.]+$/, "")) ?? "binary";
}

/** @param chosen `docker_isolation.default_images`, by command or runtime */
export function imageFor(command: string, chosen: Readonly<Record<string, string>> = {}): string {
  const runtime = runtimeOf(command);
  return ownEntry(chosen, commandName(command)) ?? ownEntry(chosen, runtime) ?? IMAGES[runtime];
}

/** A command that uses an engine itself starts its own container. */
export const isEngineClient = (command: string) => /^(?:docker|podman|nerdctl)$/.test(commandName(command));

/**
 * Completes an image's name, because engines complete a short name differently.
 *
 * @param registry the registry for names without one
 */
export function qualifiedImage(image: string, registry: string): string {
  const [first = "", ...rest] = image.split("/");
  if (rest.length > 0 && (/[.:]/.test(first) || first === "localhost")) return image;
  const official = rest.length === 0 && registry === "docker.io" ? "library/" : "";
  return `${registry}/${official}${image}`;
}
