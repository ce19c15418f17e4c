import { join } from "node:path";

/** An address at which a container engine may listen. */
export type EngineAddress = { at: string; socketPath: string } | { at: string; host: string; port: number };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The addresses to try, without a shell's PATH or the client's configuration. If an environment variable names an
 * address, only that one; empty if it uses a protocol other than a socket or plain HTTP.
 */
export function engineAddresses(env: Environment): EngineAddress[] {
  const socket = (path: string): EngineAddress => ({ at: path, socketPath: path });
  for (const address of [env.DOCKER_HOST, env.CONTAINER_HOST]) {
    if (!address) continue;
    const path = /^(?:unix|npipe):\/\/(.+)$/.exec(address)?.[1];
    if (path !== undefined) return [socket(path.replace(/^\/\/\.\/pipe\//, "\\\\.\\pipe\\"))];
    const url =
      /^(?:tcp|http):\/\//.test(address) && URL.canParse(address)
        ? new URL(address.replace(/^tcp:/, "http:"))
        : undefined;
    return url && !env.DOCKER_TLS_VERIFY ? [{ at: address, host: url.hostname, port: Number(url.port || 2375) }] : [];
  }
  if (process.platform === "win32")
    return ["docker_engine", "podman-machine-default"].map((pipe) => socket(`\\\\.\\pipe\\${pipe}`));
  const { HOME: home, XDG_RUNTIME_DIR: run } = env;
  return [
    "/var/run/docker.sock",
    ...(run ? [join(run, "docker.sock"), join(run, "podman", "podman.sock")] : []),
    ...(home ? [join(home, ".docker", "run", "docker.sock"), join(home, ".colima", "default", "docker.sock")] : []),
    "/run/podman/podman.sock",
  ].map(socket);
}

/** Every socket on this machine at which an engine may listen: the configured one and the default ones. */
export function engineSockets({ DOCKER_HOST, CONTAINER_HOST, ...env }: Environment): string[] {
  const all = [...engineAddresses({ DOCKER_HOST, CONTAINER_HOST }), ...engineAddresses(env)];
  return [...new Set(all.flatMap((place) => ("socketPath" in place ? [place.socketPath] : [])))];
}
