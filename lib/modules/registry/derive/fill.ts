import { isCarriableText } from "../../../core/config/fields.ts";
import type { Input } from "../entry.ts";

/**
 * Returns the user's value for an input, as it is written in the configuration; undefined if none was given.
 *
 * @param needed the server does not work without it
 */
export type InputLookup = (input: Input, needed: boolean) => string | undefined;

/**
 * The value of an input: the registry's text with its variables filled in, or else the user's value, or the default. An
 * optional input with a missing variable has no value.
 */
export function textOf(input: Input, lookUp: InputLookup): string | undefined {
  const { value, variables, required } = input;
  if (value === undefined) return lookUp(input, required && input.default === undefined) ?? preset(input);
  const filled = fill(registryText(value, input), variables, lookUp, required);
  return filled.lacking && !required ? undefined : filled.text;
}

/**
 * Fills in the variables of a registry's text; braces that name no variable remain.
 *
 * @param fit transforms a variable's value for its position; unchanged by default
 */
export function fill(
  text: string,
  variables: readonly Input[],
  lookUp: InputLookup,
  needed: boolean,
  fit = (value: string) => value,
): { text: string; lacking: boolean } {
  const byName = new Map(variables.map((one) => [one.name, one]));
  let isIncomplete = false;
  const filled = text.replace(/\{([\w.-]{1,64})\}/g, (whole, name: string) => {
    const variable = byName.get(name);
    if (!variable) return whole;
    const value = textOf({ ...variable, required: variable.required || needed }, lookUp);
    isIncomplete ||= value === undefined;
    return fit(value ?? "");
  });
  return { text: filled, lacking: isIncomplete };
}

/**
 * Returns the registry's own text. @throws Error if it contains a secret reference, or characters that cannot be passed
 * on
 */
export function registryText(text: string, { name }: Pick<Input, "name">): string {
  // The proxy would replace it by the value of a secret or variable of this machine.
  if (text.includes("${")) throw new Error(`its value for "${name}" refers to this machine's environment`);
  if (!isCarriableText(text)) throw new Error(`its value for "${name}" contains line breaks`);
  return text;
}

const preset = (input: Input) => (input.default === undefined ? undefined : registryText(input.default, input));
