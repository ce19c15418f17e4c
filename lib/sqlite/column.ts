import { outOfRange } from "./errors.ts";
import type { SqlValue } from "./types.ts";
import type { Engine } from "./wasm.ts";

const INTEGER = 1;
const FLOAT = 2;
const TEXT = 3;
const BLOB = 4;

/**
 * Reads one value of the current row of a statement.
 *
 * @throws ERR_OUT_OF_RANGE for an integer beyond 2^53 unless `bigInts` is set
 */
export function column({ api, memory }: Engine, statement: number, index: number, bigInts: boolean): SqlValue {
  const text = () => {
    // The order matters: reading the text may convert the value, which changes its length.
    const at = api.sqlite3_column_text(statement, index);
    return memory.bytes.toString("utf8", at, at + api.sqlite3_column_bytes(statement, index));
  };
  switch (api.sqlite3_column_type(statement, index)) {
    case INTEGER: {
      // This build has no 64-bit read. The text has every digit.
      if (bigInts) return BigInt(text());
      const value = api.sqlite3_column_double(statement, index);
      if (Number.isSafeInteger(value)) return value;
      throw outOfRange(`Value is too large to be represented as a JavaScript number: ${text()}`);
    }
    case FLOAT:
      return api.sqlite3_column_double(statement, index);
    case TEXT:
      return text();
    case BLOB: {
      const at = api.sqlite3_column_blob(statement, index);
      return new Uint8Array(memory.bytes.subarray(at, at + api.sqlite3_column_bytes(statement, index)));
    }
    default:
      return null;
  }
}
