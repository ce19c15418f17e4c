import type { Argument } from "../entry.ts";
import { fill, type InputLookup, registryText, textOf } from "./fill.ts";

/** Renders one argument of the command line: `value`, `--flag value`, `--flag`, or nothing if it is not used. */
export function argumentWords(argument: Argument, lookUp: InputLookup): string[] {
  const { flag } = argument;
  if (flag === undefined) {
    const value = textOf(argument, lookUp);
    return value === undefined || value === "" ? [] : [value];
  }
  registryText(flag, argument);
  // In some entries the name contains the value: `--mode=stdio`.
  if (argument.bare) return [fill(flag, argument.variables, lookUp, true).text];
  const value = textOf(argument, lookUp);
  return value === undefined ? [] : value === "" ? [flag] : [flag, value];
}
