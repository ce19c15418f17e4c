import { Binder } from "./bind.ts";
import { column } from "./column.ts";
import { invalidState, type SqliteError } from "./errors.ts";
import type { NamedInputs, Row, SqlInput, SqlValue, StatementOptions, StatementSync } from "./types.ts";
import type { Engine } from "./wasm.ts";

const ROW = 100;
const DONE = 101;

/** The parts of its connection that a statement uses. */
export interface Owner {
  changes(): number;
  lastInsertRowid(bigInts: boolean): number | bigint;
  /** Returns the error for a result code, with the message of the connection. */
  error(code: number): SqliteError;
  /** Passes to the host what SQLite has written. */
  flush(): void;
  forget(statement: Statement): void;
}

type Inputs = readonly (SqlInput | NamedInputs)[];

export class Statement implements StatementSync {
  readonly sourceSQL: string;
  readonly #engine: Engine;
  readonly #owner: Owner;
  readonly #binder: Binder;
  #pointer: number;
  #names: string[] | undefined;
  #bigInts: boolean;
  #arrays: boolean;
  /** Increased with each use, so that an iterator notices when its statement is used again. */
  #uses = 0;

  constructor(engine: Engine, owner: Owner, pointer: number, sql: string, options: StatementOptions) {
    this.sourceSQL = sql;
    this.#engine = engine;
    this.#owner = owner;
    this.#pointer = pointer;
    this.#binder = new Binder(engine, pointer);
    this.#bigInts = options.readBigInts === true;
    this.#arrays = options.returnArrays === true;
    this.#binder.bareNames = options.allowBareNamedParameters !== false;
    this.#binder.unknownNames = options.allowUnknownNamedParameters === true;
  }

  run(...inputs: Inputs) {
    this.#start(inputs);
    try {
      while (this.#step());
      const changes = this.#owner.changes();
      const lastInsertRowid = this.#owner.lastInsertRowid(this.#bigInts);
      return { changes: this.#bigInts ? BigInt(changes) : changes, lastInsertRowid };
    } finally {
      this.#end();
    }
  }

  change(inputs: readonly SqlInput[]): number {
    this.#start(inputs);
    try {
      while (this.#step());
      return this.#owner.changes();
    } finally {
      this.#end();
    }
  }

  get(...inputs: Inputs): Row | undefined {
    this.#start(inputs);
    try {
      return this.#step() ? this.#row() : undefined;
    } finally {
      this.#end();
    }
  }

  all(...inputs: Inputs): Row[] {
    this.#start(inputs);
    try {
      const rows: Row[] = [];
      while (this.#step()) rows.push(this.#row());
      return rows;
    } finally {
      this.#end();
    }
  }

  iterate(...inputs: Inputs): IterableIterator<Row> {
    this.#start(inputs);
    return this.#rows(this.#uses);
  }

  columns(): { name: string }[] {
    const { api } = this.#engine;
    return this.#columnNames(api.sqlite3_column_count(this.#live())).map((name) => ({ name }));
  }

  setReadBigInts(on: boolean) {
    this.#bigInts = on;
  }

  setReturnArrays(on: boolean) {
    this.#arrays = on;
  }

  setAllowBareNamedParameters(on: boolean) {
    this.#binder.bareNames = on;
  }

  setAllowUnknownNamedParameters(on: boolean) {
    this.#binder.unknownNames = on;
  }

  finalize() {
    if (this.#pointer === 0) return;
    this.#engine.api.sqlite3_finalize(this.#pointer);
    this.#binder.free();
    this.#pointer = 0;
    this.#owner.forget(this);
  }

  *#rows(use: number): IterableIterator<Row> {
    try {
      for (;;) {
        if (use !== this.#uses) throw invalidState("iterator was invalidated");
        if (!this.#step()) return;
        yield this.#row();
      }
    } finally {
      if (use === this.#uses && this.#pointer !== 0) this.#end();
    }
  }

  #live(): number {
    if (this.#pointer === 0) throw invalidState("statement has been finalized");
    return this.#pointer;
  }

  #start(inputs: Inputs) {
    const pointer = this.#live();
    this.#uses++;
    this.#engine.api.sqlite3_reset(pointer);
    const code = this.#binder.bind(inputs);
    if (code !== 0) throw this.#owner.error(code);
  }

  #step(): boolean {
    const code = this.#engine.api.sqlite3_step(this.#live());
    if (code !== ROW && code !== DONE) throw this.#owner.error(code);
    this.#owner.flush();
    return code === ROW;
  }

  #end() {
    this.#engine.api.sqlite3_reset(this.#pointer);
    this.#binder.release();
  }

  #row(): Row {
    const count = this.#engine.api.sqlite3_data_count(this.#pointer);
    const value = (index: number): SqlValue => column(this.#engine, this.#pointer, index, this.#bigInts);
    // The type is inaccurate for arrays, like that of node:sqlite.
    if (this.#arrays) return Array.from({ length: count }, (_, i) => value(i)) as unknown as Row;
    const names = this.#columnNames(count);
    const row: Row = Object.create(null);
    for (let i = 0; i < count; i++) row[names[i]!] = value(i);
    return row;
  }

  #columnNames(count: number): string[] {
    // If its table changed, SQLite prepares the statement again, and it may have more columns than before.
    if (this.#names?.length === count) return this.#names;
    const { api, memory } = this.#engine;
    this.#names = Array.from({ length: count }, (_, i) => memory.text(api.sqlite3_column_name(this.#pointer, i)));
    return this.#names;
  }
}
