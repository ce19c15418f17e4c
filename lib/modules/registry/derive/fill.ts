import { isCarriableText } from "../../../core/config/fields.ts";
import type { Input } from "../entry.ts";

/**
 * The value somebody gives for an input, in the form in which it is written down; undefined when none was given.
 *
 * @param needed nothing works without it
 */
export type Give = (input: Input, needed: boolean) => string | undefined;

/**
 * The value of an input: what the registry says with its variables filled in, or else what is given, or its default.
 * One that is not required and lacks a variable has none.
 */
export function textOf(input: Input, give: Give): string | undefined {
  const { value, variables, required } = input;
  if (value === undefined) return give(input, required && input.default === undefined) ?? preset(input);
  const filled = fill(registryText(value, input), variables, give, required);
  return filled.lacking && !required ? undefined : filled.text;
}

/**
 * A registry's text with its variables filled in; braces that name no variable stay.
 *
 * @param fit how a variable's value is written in its place; unchanged by default
 */
export function fill(
  text: string,
  variables: readonly Input[],
  give: Give,
  needed: boolean,
  fit = (value: string) => value,
): { text: string; lacking: boolean } {
  const byName = new Map(variables.map((one) => [one.name, one]));
  let lacking = false;
  const filled = text.replace(/\{([\w.-]{1,64})\}/g, (whole, name: string) => {
    const variable = byName.get(name);
    if (!variable) return whole;
    const value = textOf({ ...variable, required: variable.required || needed }, give);
    lacking ||= value === undefined;
    return fit(value ?? "");
  });
  return { text: filled, lacking };
}

/** A text of the registry's own. @throws Error when it would be read as a secret of this machine, or cannot be carried */
export function registryText(text: string, { name }: Pick<Input, "name">): string {
  // The resolver would put the value of any secret or variable of this machine in its place.
  if (text.includes("${")) throw new Error(`its value for "${name}" refers to this machine's environment`);
  if (!isCarriableText(text)) throw new Error(`its value for "${name}" contains line breaks`);
  return text;
}

const preset = (input: Input) => (input.default === undefined ? undefined : registryText(input.default, input));
