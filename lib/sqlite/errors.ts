/** An error of SQLite in the form in which `node:sqlite` throws it; `errcode` is the primary result code. */
export class SqliteError extends Error {
  readonly code = "ERR_SQLITE_ERROR";
  readonly errcode: number;

  constructor(message: string, errcode: number) {
    super(message);
    this.errcode = errcode;
  }
}

export function invalidState(message: string): Error {
  return Object.assign(new Error(message), { code: "ERR_INVALID_STATE" });
}

export function invalidType(message: string): TypeError {
  return Object.assign(new TypeError(message), { code: "ERR_INVALID_ARG_TYPE" });
}

export function invalidValue(message: string): TypeError {
  return Object.assign(new TypeError(message), { code: "ERR_INVALID_ARG_VALUE" });
}

export function outOfRange(message: string): RangeError {
  return Object.assign(new RangeError(message), { code: "ERR_OUT_OF_RANGE" });
}
