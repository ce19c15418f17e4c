import { Fault } from "../base/fault.ts";
import { isJsonObject, type JsonObject } from "../base/json-object.ts";
import { parseJson } from "../base/parse-json.ts";

/**
 * Reads the arguments of a call, which clients send as an object (`args`) or as JSON text (`args_json`). If both are
 * set, the text is used, because clients that know only `args_json` may send an empty object as well.
 *
 * @throws Fault invalid_args
 */
export function readArgs(input: JsonObject): JsonObject {
  if (given(input.args_json)) return readOne("args_json", input.args_json);
  if (given(input.args)) return readOne("args", input.args);
  return {};
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === "string" && value.trim() === "");
}

function readOne(name: string, given: unknown): JsonObject {
  let value = given;
  if (typeof value === "string") {
    try {
      value = parseJson(value);
    } catch (error) {
      throw new Fault("invalid_args", { reason: `${name} is not valid JSON: ${(error as SyntaxError).message}` });
    }
  }
  if (!isJsonObject(value))
    throw new Fault("invalid_args", { reason: `${name} must be a JSON object with the arguments` });
  return value;
}
