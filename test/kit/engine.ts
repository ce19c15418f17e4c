import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { engineApi } from "#lib/modules/isolation/container/api.ts";
import { until } from "./until.ts";

/** Some kernels and users need a runtime or limits other than podman's defaults. */
const MODEST = '[containers]\ndefault_ulimits = ["nofile=20000:20000","nproc=4096:4096"]\n[engine]\nruntime = "runc"\n';

export const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

/** Why containers cannot be tested on this machine. */
export const noEngine: string | false =
  process.platform === "linux" && ["podman", "runc"].every(has) ? false : "needs podman and runc";

export interface TestEngine {
  /** Value for DOCKER_HOST. */
  readonly host: string;
  /** An image with node and a few shell programs, made from those of this machine. */
  readonly image: string;
  podman(...argv: string[]): string;
  close(): Promise<void>;
}

/** Starts a separate Podman on its own socket with one small image; nothing is downloaded. */
export async function testEngine(): Promise<TestEngine> {
  const dir = mkdtempSync(join(tmpdir(), "proxy-engine-"));
  const socket = join(dir, "engine.sock");
  writeFileSync(join(dir, "containers.conf"), MODEST);
  const env = { ...process.env, CONTAINERS_CONF: join(dir, "containers.conf") };
  const own = ["--root", join(dir, "store"), "--runroot", join(dir, "run")];
  const podman = (...argv: string[]) =>
    execFileSync("podman", [...own, ...argv], { encoding: "utf8", env, timeout: 180_000, stdio: "pipe" });
  const image = "localhost/proxy-test-node:latest";
  rootOf(join(dir, "root"), [process.execPath, "/bin/sleep"]);
  execFileSync("tar", ["-C", join(dir, "root"), "-cf", join(dir, "root.tar"), "."]);
  podman("import", join(dir, "root.tar"), image);
  rmSync(join(dir, "root.tar"));
  const service = spawn("podman", [...own, "system", "service", "--time", "0", `unix://${socket}`], {
    env,
    // Podman writes a file to its working directory when a container runs out of memory.
    cwd: dir,
    stdio: "ignore",
  });
  const api = engineApi({ at: socket, socketPath: socket });
  const answers = () =>
    api.ask("GET", "/version", { signal: AbortSignal.timeout(9000) }).then(
      () => true,
      () => false,
    );
  await until("the engine", answers);
  return {
    host: `unix://${socket}`,
    image,
    podman,
    async close() {
      const ended = new Promise((done) => service.once("exit", done));
      spawnSync("podman", [...own, "rm", "-af", "-t", "0"], { env, timeout: 120_000 });
      spawnSync("podman", [...own, "volume", "prune", "-f"], { env, timeout: 120_000 });
      service.kill("SIGKILL");
      await ended;
      spawnSync("sh", ["-c", `umount -q ${join(dir, "store", "overlay")}; rm -rf ${dir}`]);
    },
  };
}

/** Creates a root folder with programs and their libraries. */
function rootOf(root: string, programs: readonly string[]): void {
  for (const folder of ["tmp", "run", "home", "etc", "proc", "sys", "dev"])
    mkdirSync(join(root, folder), { recursive: true });
  const copy = (from: string, to = from) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(realpathSync(from), join(root, to));
  };
  for (const program of programs) {
    copy(program, program === process.execPath ? "/usr/bin/node" : program);
    const libraries = spawnSync("ldd", [realpathSync(program)], { encoding: "utf8" }).stdout ?? "";
    for (const [library] of libraries.matchAll(/\/\S+/g)) copy(library);
  }
}
