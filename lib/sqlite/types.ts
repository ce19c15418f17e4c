/** The part of `node:sqlite` that the store uses, so that it runs on sql.js and on node's own module alike. */
export type SqlValue = null | number | bigint | string | Uint8Array;
export type SqlInput = SqlValue | boolean | ArrayBuffer | ArrayBufferView;
export type NamedInputs = Record<string, SqlInput>;
export type Row = Record<string, SqlValue>;

export interface DatabaseOptions {
  /** `false`: not before `open()` is called. */
  open?: boolean;
  enableForeignKeyConstraints?: boolean;
  /** How long to wait for a lock, in ms. */
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
  /** What the disk said when it last failed. Ours only: SQLite's result codes do not tell. */
  readonly diskFailure?: NodeJS.ErrnoException | undefined;
  open(): void;
  close(): void;
  exec(sql: string): void;
  prepare(sql: string, options?: StatementOptions): StatementSync;
  location(): string | null;
}

export interface StatementSync {
  readonly sourceSQL: string;
  run(...inputs: (SqlInput | NamedInputs)[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...inputs: (SqlInput | NamedInputs)[]): Row | undefined;
  all(...inputs: (SqlInput | NamedInputs)[]): Row[];
  iterate(...inputs: (SqlInput | NamedInputs)[]): IterableIterator<Row>;
  columns(): { name: string }[];
  setReadBigInts(on: boolean): void;
  setReturnArrays(on: boolean): void;
  setAllowBareNamedParameters(on: boolean): void;
  setAllowUnknownNamedParameters(on: boolean): void;
  /** Frees the statement at once. `node:sqlite` leaves it to the collector and has no such method. */
  finalize?(): void;
}

/** What `node:sqlite` exports, and `loadSqlite()` answers. */
export interface Sqlite {
  DatabaseSync: new (path: string, options?: DatabaseOptions) => DatabaseSync;
}
