import { basename, dirname, resolve } from "node:path";
import { cString } from "./bind.ts";
import { invalidState, invalidType, invalidValue, SqliteError } from "./errors.ts";
import { type Files, hostFiles } from "./files.ts";
import { type JoinedFiles, joinedWrites } from "./joined.ts";
import type { Mount } from "./mounts.ts";
import { type Owner, Statement } from "./statement.ts";
import type { DatabaseOptions, DatabaseSync, Sqlite, StatementOptions } from "./types.ts";
import type { Engine } from "./wasm.ts";

const SQLITE_IOERR = 10;

/**
 * Makes a class with the interface of `DatabaseSync` from `node:sqlite`, over one engine. It accesses real files by
 * `files`.
 */
export function databaseClass(engine: Engine, files: Files = hostFiles): Sqlite["DatabaseSync"] {
  return class extends Database {
    constructor(path: string, options: DatabaseOptions = {}) {
      super(engine, files, path, options);
    }
  };
}

class Database implements DatabaseSync, Owner {
  readonly #engine: Engine;
  readonly #path: string;
  readonly #options: DatabaseOptions;
  readonly #files: Files;
  #mount: Mount | undefined;
  #writes: JoinedFiles | undefined;
  readonly #statements = new Set<Statement>();
  #folder = "";
  #pointer = 0;
  #rowid: Statement | undefined;

  constructor(engine: Engine, files: Files, path: string, options: DatabaseOptions) {
    this.#engine = engine;
    this.#path = path;
    this.#options = options;
    this.#files = files;
    if (options.open !== false) this.open();
  }

  get isOpen(): boolean {
    return this.#pointer !== 0;
  }

  /** This build does not export the function that tells this, but a BEGIN fails exactly if a transaction is open. */
  get isTransaction(): boolean {
    this.#live();
    try {
      this.exec("BEGIN");
    } catch {
      return true;
    }
    this.exec("ROLLBACK");
    return false;
  }

  /** The error of the disk when SQLite last reported a failure of it. */
  get diskFailure(): NodeJS.ErrnoException | undefined {
    return this.#mount?.failure;
  }

  get writtenBytes(): number {
    return this.#writes?.writtenBytes ?? 0;
  }

  keepJournal() {
    if (this.#mount) this.#mount.keepsFiles = true;
  }

  open() {
    if (this.#pointer !== 0) throw invalidState("database is already open");
    const { api, memory, mounts, scratch } = this.#engine;
    if (this.#path !== ":memory:") {
      this.#writes = joinedWrites(this.#files);
      this.#mount = { dir: dirname(resolve(this.#path)), files: this.#writes, failure: undefined, keepsFiles: false };
      this.#folder = mounts.add(this.#mount);
    }
    const name = cString(this.#engine, this.#mount ? `${this.#folder}/${basename(this.#path)}` : this.#path);
    const code = api.sqlite3_open(name, scratch);
    api.free(name);
    this.#pointer = memory.view.getUint32(scratch, true);
    if (code !== 0) {
      const error = this.error(code);
      this.#shut();
      throw error;
    }
    try {
      // Without exclusive locking, a write-ahead log needs memory that processes share, which this engine does not
      // have.
      this.exec("PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY");
      this.exec(`PRAGMA foreign_keys=${this.#options.enableForeignKeyConstraints === false ? 0 : 1}`);
      if (this.#options.timeout) this.exec(`PRAGMA busy_timeout=${Math.trunc(this.#options.timeout)}`);
    } catch (error) {
      this.#shut();
      throw error;
    }
  }

  close() {
    this.#live();
    for (const statement of [...this.#statements]) statement.finalize();
    this.#rowid = undefined;
    this.#shut();
  }

  exec(sql: string) {
    const text = cString(this.#engine, sqlText(sql));
    try {
      const code = this.#engine.api.sqlite3_exec(this.#live(), text, 0, 0, 0);
      if (code !== 0) throw this.error(code);
      this.flush();
    } finally {
      this.#engine.api.free(text);
    }
  }

  prepare(sql: string, options: StatementOptions = {}): Statement {
    const { api, memory, scratch } = this.#engine;
    const text = cString(this.#engine, sqlText(sql));
    try {
      const code = api.sqlite3_prepare_v2(this.#live(), text, -1, scratch, 0);
      if (code !== 0) throw this.error(code);
    } finally {
      api.free(text);
    }
    const pointer = memory.view.getUint32(scratch, true);
    if (pointer === 0) throw invalidValue("The SQL query contains no statements.");
    const statement = new Statement(this.#engine, this, pointer, sql, options);
    this.#statements.add(statement);
    return statement;
  }

  location(): string | null {
    return this.#path === ":memory:" ? null : resolve(this.#path);
  }

  changes(): number {
    return this.#engine.api.sqlite3_changes(this.#pointer);
  }

  lastInsertRowid(bigInts: boolean): number | bigint {
    this.#rowid ??= this.prepare("SELECT last_insert_rowid() AS id");
    this.#rowid.setReadBigInts(bigInts);
    return this.#rowid.get()!.id as number | bigint;
  }

  error(code: number): SqliteError {
    return new SqliteError(this.#engine.memory.text(this.#engine.api.sqlite3_errmsg(this.#pointer)), code);
  }

  flush() {
    try {
      this.#writes?.flush();
    } catch (error) {
      this.#mount!.failure = error as NodeJS.ErrnoException;
      throw new SqliteError("disk I/O error", SQLITE_IOERR);
    }
  }

  forget(statement: Statement) {
    this.#statements.delete(statement);
  }

  #live(): number {
    if (this.#pointer === 0) throw invalidState("database is not open");
    return this.#pointer;
  }

  #shut() {
    this.#engine.api.sqlite3_close_v2(this.#pointer);
    this.#engine.mounts.drop(this.#folder);
    this.#pointer = 0;
  }
}

function sqlText(sql: unknown): string {
  if (typeof sql !== "string") throw invalidType('The "sql" argument must be a string.');
  return sql;
}
