import { invalidState, invalidType, invalidValue, SqliteError } from "./errors.ts";
import type { NamedInputs, SqlInput } from "./types.ts";
import type { Engine } from "./wasm.ts";

const SQLITE_NOMEM = 7;
const INT32 = { min: -(2n ** 31n), max: 2n ** 31n - 1n };

/** Texts of at most this length are copied character by character, which takes less time than a call of Node. */
const SHORT_CHARS = 40;
/** Memory that a statement keeps for its next inputs; a record of a call needs less. (bytes) */
const KEPT_BYTES = 2 * 1024;

/** Binds the inputs of one statement. It owns the memory of bound texts and blobs until the next call. */
export class Binder {
  readonly #engine: Engine;
  readonly #statement: number;
  readonly #indices = new Map<string, number>();
  /** Inputs that did not fit into `#kept`. */
  readonly #owned: number[] = [];
  /** Address of the memory that is used again for the inputs of each call; 0: none yet. */
  #kept = 0;
  #keptUsed = 0;
  bareNames = true;
  unknownNames = false;

  constructor(engine: Engine, statement: number) {
    this.#engine = engine;
    this.#statement = statement;
  }

  /**
   * Binds the inputs. The first may be an object of named inputs; the others fill the remaining parameters in order.
   *
   * @returns 0, or the result code of the bind that failed
   */
  bind(inputs: readonly (SqlInput | NamedInputs)[]): number {
    this.release();
    this.#engine.api.sqlite3_clear_bindings(this.#statement);
    if (isNamed(inputs[0])) return this.#bindNamed(inputs[0], inputs);
    for (let i = 0; i < inputs.length; i++) {
      const code = this.#put(i + 1, inputs[i]);
      if (code !== 0) return code;
    }
    return 0;
  }

  #bindNamed(named: NamedInputs, inputs: readonly unknown[]): number {
    const taken = new Set<number>();
    for (const name of Object.keys(named)) {
      const index = this.#index(name);
      if (index === 0) {
        if (this.unknownNames) continue;
        throw invalidState(`Unknown named parameter '${name}'`);
      }
      taken.add(index);
      const code = this.#put(index, named[name]);
      if (code !== 0) return code;
    }
    let index = 1;
    for (let i = 1; i < inputs.length; i++, index++) {
      while (taken.has(index)) index++;
      const code = this.#put(index, inputs[i]);
      if (code !== 0) return code;
    }
    return 0;
  }

  release() {
    this.#keptUsed = 0;
    if (this.#owned.length === 0) return;
    for (const at of this.#owned) this.#engine.api.free(at);
    this.#owned.length = 0;
  }

  /** Frees all memory. The binder must not be used again. */
  free() {
    this.release();
    if (this.#kept !== 0) this.#engine.api.free(this.#kept);
    this.#kept = 0;
  }

  #index(name: string): number {
    const known = this.#indices.get(name);
    if (known !== undefined) return known;
    const spellings = /^[:@$]/.test(name) ? [name] : this.bareNames ? [`:${name}`, `$${name}`, `@${name}`] : [];
    const found = spellings.filter((s) => this.#lookUp(s) > 0);
    if (found.length > 1)
      throw invalidState(
        `Cannot create bare named parameter '${name}' because of conflicting names '${found[0]}' and '${found[1]}'.`,
      );
    const index = found.length === 0 ? 0 : this.#lookUp(found[0]!);
    this.#indices.set(name, index);
    return index;
  }

  #lookUp(spelling: string): number {
    const text = cString(this.#engine, spelling);
    const index = this.#engine.api.sqlite3_bind_parameter_index(this.#statement, text);
    this.#engine.api.free(text);
    return index;
  }

  #put(index: number, value: unknown): number {
    const { api, memory } = this.#engine;
    const statement = this.#statement;
    if (value === null) return api.sqlite3_bind_blob(statement, index, 0, 0, 0);
    // Like node:sqlite: every number is REAL until the affinity of a column makes it an integer again.
    if (typeof value === "number") return api.sqlite3_bind_double(statement, index, value);
    if (typeof value === "boolean") return api.sqlite3_bind_int(statement, index, value ? 1 : 0);
    if (typeof value === "string") {
      const room = value.length * 3;
      const at = this.#take(room);
      return api.sqlite3_bind_text(statement, index, at, writeText(memory.bytes, value, at, room), 0);
    }
    if (typeof value === "bigint") return this.#putBigInt(index, value);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      const bytes =
        value instanceof ArrayBuffer
          ? new Uint8Array(value)
          : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      const at = this.#take(bytes.length);
      memory.bytes.set(bytes, at);
      return api.sqlite3_bind_blob(statement, index, at, bytes.length, 0);
    }
    throw invalidType(`Provided value cannot be bound to SQLite parameter ${index}.`);
  }

  #putBigInt(index: number, value: bigint): number {
    if (value >= INT32.min && value <= INT32.max)
      return this.#engine.api.sqlite3_bind_int(this.#statement, index, Number(value));
    if (BigInt.asIntN(64, value) !== value) throw invalidValue("BigInt value is too large to bind");
    // This build has no 64-bit bind. As text the value keeps every digit, and INTEGER affinity converts it exactly.
    return this.#put(index, value.toString());
  }

  #take(size: number): number {
    if (this.#keptUsed + size <= KEPT_BYTES) {
      if (this.#kept === 0) this.#kept = this.#allocate(KEPT_BYTES);
      const at = this.#kept + this.#keptUsed;
      this.#keptUsed += size;
      return at;
    }
    const at = this.#allocate(size);
    this.#owned.push(at);
    return at;
  }

  #allocate(size: number): number {
    const at = this.#engine.api.malloc(size + 1);
    if (at === 0) throw new SqliteError("out of memory", SQLITE_NOMEM);
    return at;
  }
}

/** Writes a text as UTF-8. @returns its size in bytes */
function writeText(bytes: Buffer, text: string, at: number, room: number): number {
  const { length } = text;
  if (length > SHORT_CHARS) return bytes.write(text, at, room, "utf8");
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return bytes.write(text, at, room, "utf8");
    bytes[at + i] = code;
  }
  return length;
}

/** Copies a text, terminated by a zero byte, into the engine's memory. The caller must free it. */
export function cString({ api, memory }: Engine, text: string): number {
  const room = text.length * 3;
  const at = api.malloc(room + 1);
  if (at === 0) throw new SqliteError("out of memory", SQLITE_NOMEM);
  const { bytes } = memory;
  bytes[at + bytes.write(text, at, room, "utf8")] = 0;
  return at;
}

function isNamed(value: unknown): value is NamedInputs {
  return typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer);
}
