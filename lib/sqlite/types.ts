/** The part of `node:sqlite` that the store uses, so that it works with sql.js and with Node's own module. */
export type SqlValue = null | number | bigint | string | Uint8Array;
export type SqlInput = SqlValue | boolean | ArrayBuffer | ArrayBufferView;
export type NamedInputs = Record<string, SqlInput>;
export type Row = Record<string, SqlValue>;

export interface DatabaseOptions {
  /** `false`: the database is opened by `open()` only. */
  open?: boolean;
  enableForeignKeyConstraints?: boolean;
  /** How long to wait for a lock (ms). */
  timeout?: number;
}

export interface StatementOptions {
  returnArrays?: boolean;
  readBigInts?: boolean;
  allowBareNamedParameters?: boolean;
  allowUnknownNamedParameters?: boolean;
}

export interface DatabaseSync {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  /** The error of the last disk failure. Only sql.js has it here, because SQLite's result codes do not contain it. */
  readonly diskFailure?: NodeJS.ErrnoException | undefined;
  /** Number of bytes that SQLite has written to files so far. Only sql.js has it. */
  readonly writtenBytes?: number;
  /** Keeps the file of the write-ahead log when the database is closed. Only sql.js has it. */
  keepJournal?(): void;
  open(): void;
  close(): void;
  exec(sql: string): void;
  prepare(sql: string, options?: StatementOptions): StatementSync;
  location(): string | null;
}

export interface StatementSync {
  readonly sourceSQL: string;
  run(...inputs: (SqlInput | NamedInputs)[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  /**
   * Like `run`, but returns only the number of changed rows. Only sql.js has it: there, the number of the last row takes
   * a query, which costs as much as a quarter of the write.
   */
  change?(inputs: readonly SqlInput[]): number;
  get(...inputs: (SqlInput | NamedInputs)[]): Row | undefined;
  all(...inputs: (SqlInput | NamedInputs)[]): Row[];
  iterate(...inputs: (SqlInput | NamedInputs)[]): IterableIterator<Row>;
  columns(): { name: string }[];
  setReadBigInts(on: boolean): void;
  setReturnArrays(on: boolean): void;
  setAllowBareNamedParameters(on: boolean): void;
  setAllowUnknownNamedParameters(on: boolean): void;
  /** Frees the statement at once. `node:sqlite` has no such method and relies on the garbage collector. */
  finalize?(): void;
}

/** The exports of `node:sqlite`, and the result of `loadSqlite()`. */
export interface Sqlite {
  DatabaseSync: new (path: string, options?: DatabaseOptions) => DatabaseSync;
}
