import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

/** A private PostgreSQL server of one test file. */
export interface PostgresServer {
  port: number;
  /** The URL of a database, for the server's superuser unless another role is named. */
  url(database?: string, role?: string): string;
  /** Creates an empty database. @returns its URL */
  database(): string;
  /** Runs statements with psql as superuser. @returns the output, one line per row, without headings */
  psql(sql: string, database?: string): string;
  /** Ends the server; clients lose their connections. It answers again after `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Sends SIGSTOP to every process of the server: it no longer answers, and nobody notices. */
  freeze(): void;
  /** Sends SIGCONT to them. */
  thaw(): void;
}

const SUPERUSER = "proxy_test";

/** The folder of initdb and postgres; undefined if PostgreSQL is not installed. */
export const postgresPrograms: string | undefined = findPrograms();

/** The reason to skip the tests of a file; false if they can run. */
export const withoutPostgres: string | false = postgresPrograms ? false : "initdb was not found; install postgresql";

/**
 * Starts a server on a free port of 127.0.0.1 in a temporary folder, with the default durability, which costs nothing if
 * the runner has a folder in memory. It ends and the folder is removed when the file's tests have ended.
 *
 * @param settings lines of postgresql.conf
 * @param files files of the data folder by name
 */
export async function startPostgres(
  after: (fn: () => unknown) => void,
  { settings = [], files = {} }: { settings?: readonly string[]; files?: Readonly<Record<string, string>> } = {},
): Promise<PostgresServer> {
  const programs = postgresPrograms!;
  const dir = mkdtempSync(join(process.env.TEST_MEMORY ?? tmpdir(), "proxy-pg-"));
  const data = join(dir, "data");
  const port = await freePort();
  // PostgreSQL refuses to run as root. There the server also ends if this process is killed.
  const user = process.getuid?.() === 0 ? "nobody" : undefined;
  const as = (command: string, args: readonly string[]) =>
    user
      ? ([
          "setpriv",
          [`--reuid=${user}`, "--regid=nogroup", "--clear-groups", "--pdeathsig=QUIT", command, ...args],
        ] as const)
      : ([command, args] as const);
  if (user) execFileSync("chown", [`${user}:nogroup`, dir]);
  const run = (command: string, args: readonly string[]) => {
    const [program, all] = as(join(programs, command), args);
    return execFileSync(program, [...all], { cwd: dir, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  };
  const template = process.env.TEST_MEMORY && join(process.env.TEST_MEMORY, "pg-template");
  if (template && existsSync(template)) execFileSync("cp", ["-a", template, data]);
  else {
    run("initdb", ["-D", data, "-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
    if (template) keepTemplate(data, template);
  }
  const options = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${dir}`, ...settings];
  for (const [name, text] of Object.entries(files)) {
    const path = join(data, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (user) execFileSync("chown", [`${user}:nogroup`, path]);
  }

  let ended: Promise<void> = Promise.resolve();
  let running = false;
  const pids = () => {
    const main = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n", 1)[0]);
    const children = readFileSync(`/proc/${main}/task/${main}/children`, "utf8").trim();
    return [main, ...(children ? children.split(" ").map(Number) : [])];
  };
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids())
      try {
        process.kill(pid, name);
      } catch {
        // A process of a connection may have ended since.
      }
  };
  const server: PostgresServer = {
    port,
    url: (database = "postgres", role = SUPERUSER) => `postgres://${role}@127.0.0.1:${port}/${database}`,
    database() {
      const name = `db_${Math.random().toString(36).slice(2, 10)}`;
      server.psql(`create database ${name}`);
      return server.url(name);
    },
    psql: (sql, database = "postgres") =>
      run("psql", [
        "-h",
        "127.0.0.1",
        "-p",
        String(port),
        "-U",
        SUPERUSER,
        "-d",
        database,
        "-XAtq",
        "-v",
        "ON_ERROR_STOP=1",
        "-c",
        sql,
      ]).trim(),
    async start() {
      const [program, args] = as(join(programs, "postgres"), ["-D", data, ...options.flatMap((one) => ["-c", one])]);
      const child = spawn(program, [...args], { cwd: dir, stdio: ["ignore", "ignore", "pipe"] });
      let log = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        log = (log + text).slice(-4000);
      });
      running = true;
      ended = new Promise((done) =>
        child.once("exit", () => {
          running = false;
          done();
        }),
      );
      await until("PostgreSQL answers", () => {
        if (!running) throw new Error(`PostgreSQL did not start:\n${log}`);
        try {
          run("psql", ["-h", "127.0.0.1", "-p", String(port), "-U", SUPERUSER, "-d", "postgres", "-c", "select 1"]);
          return true;
        } catch {
          return false;
        }
      });
    },
    async stop() {
      if (!running) return;
      running = false;
      signal("SIGCONT");
      // Immediate shutdown, as in a crash.
      process.kill(pids()[0]!, "SIGQUIT");
      await ended;
    },
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
  };
  after(async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  });
  await server.start();
  return server;
}

/** Keeps a new data folder for the other test files of this run, of which several may do the same at once. */
function keepTemplate(data: string, template: string): void {
  const copy = `${template}-${process.pid}`;
  execFileSync("cp", ["-a", data, copy]);
  try {
    renameSync(copy, template);
  } catch {
    rmSync(copy, { recursive: true, force: true });
  }
}

function findPrograms(): string | undefined {
  const base = "/usr/lib/postgresql";
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    ...versions.map((version) => join(base, version, "bin")),
  ];
  return folders.find((folder) => ["initdb", "postgres", "psql"].every((program) => existsSync(join(folder, program))));
}
