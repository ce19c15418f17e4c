import { invalidState, invalidType, invalidValue, SqliteError } from "./errors.ts";
import type { NamedInputs, SqlInput } from "./types.ts";
import type { Engine } from "./wasm.ts";

const SQLITE_NOMEM = 7;
const INT32 = { min: -(2n ** 31n), max: 2n ** 31n - 1n };

/** Texts of at most this length are copied character by character, which takes less time than a call of Node. */
const SHORT_CHARS = 40;
/** Size of the memory that a parameter keeps for its texts (bytes). A longer text gets memory of its own. */
const KEPT_BYTES = { least: 64, most: 2 * 1024 };

/** In place of a value that has to be bound again, even if it is the same. */
const BIND_AGAIN = Symbol("bind again");

/** Memory for the texts of one parameter. */
interface Kept {
  at: number;
  bytes: number;
}

/**
 * Binds the inputs of one statement. It owns the memory of bound texts and blobs. Most values of a record are those of the
 * record before; a parameter that has its value already is not bound again.
 */
export class Binder {
  readonly #engine: Engine;
  readonly #statement: number;
  readonly #indices = new Map<string, number>();
  /** What each parameter is bound to; shorter than the parameters until all of them are bound. */
  readonly #bound: unknown[] = [];
  readonly #kept: (Kept | undefined)[] = [];
  /** Memory of inputs that no parameter keeps. */
  readonly #owned: number[] = [];
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
    const bound = this.#bound;
    const first = inputs[0];
    const named = isNamed(first) ? first : undefined;
    if (named || bound.length > inputs.length) bound.length = 0;
    if (bound.length === 0) this.#engine.api.sqlite3_clear_bindings(this.#statement);
    if (named) return this.#bindNamed(named, inputs);
    for (let i = 0; i < inputs.length; i++) {
      const value = inputs[i];
      if (i < bound.length && Object.is(value, bound[i])) continue;
      bound[i] = BIND_AGAIN;
      const code = this.#put(i + 1, value);
      if (code !== 0) return code;
      if (this.#keeps(i, value)) bound[i] = value;
    }
    return 0;
  }

  /** Whether a bound value stays bound after the call; an object may change until the next one. */
  #keeps(i: number, value: unknown): boolean {
    if (typeof value === "string") return value.length * 3 <= (this.#kept[i + 1]?.bytes ?? 0);
    return value === null || typeof value === "number" || typeof value === "boolean";
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
    if (this.#owned.length === 0) return;
    for (const at of this.#owned) this.#engine.api.free(at);
    this.#owned.length = 0;
  }

  /** Frees all memory. The binder must not be used again. */
  free() {
    this.release();
    for (const kept of this.#kept) if (kept) this.#engine.api.free(kept.at);
    this.#kept.length = 0;
    this.#bound.length = 0;
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
      const at = this.#room(index, room);
      return api.sqlite3_bind_text(statement, index, at, writeText(memory.bytes, value, at, room), 0);
    }
    if (typeof value === "bigint") return this.#putBigInt(index, value);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      const bytes =
        value instanceof ArrayBuffer
          ? new Uint8Array(value)
          : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      const at = this.#own(bytes.length);
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

  /** Returns memory for a text of a parameter: that of its last one, if the text fits. */
  #room(index: number, size: number): number {
    if (size > KEPT_BYTES.most) return this.#own(size);
    const kept = this.#kept[index];
    if (kept && size <= kept.bytes) return kept.at;
    // A power of two, so that a longer text seldom needs other memory.
    const bytes = Math.max(KEPT_BYTES.least, 2 ** Math.ceil(Math.log2(size)));
    const at = this.#allocate(bytes);
    if (kept) this.#engine.api.free(kept.at);
    this.#kept[index] = { at, bytes };
    return at;
  }

  #own(size: number): number {
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
