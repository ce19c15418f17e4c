/** Maximum length of one value, and of a list of values, in a message (characters). */
const MAX_VALUE = 60;
const MAX_LIST = 300;

/** Names the type of a value in words. */
export function describeKind(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a number";
  return WORDS[typeof value] ?? typeof value;
}

const WORDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  object: "an object",
  array: "an array",
  null: "null",
};

/** Names types of JSON Schema in words: `a string or null`. */
export function describeTypes(types: readonly unknown[]): string {
  return [
    ...new Set(types.map((type) => (Object.hasOwn(WORDS, String(type)) ? WORDS[String(type)] : "something"))),
  ].join(" or ");
}

/** Writes values of a schema as JSON, shortened to fit into a message. */
export function describeValues(values: readonly unknown[]): string {
  const texts: string[] = [];
  let length = 0;
  for (const value of values) {
    const text = shown(value);
    length += text.length + 2;
    if (length > MAX_LIST && texts.length > 0) return `${texts.join(", ")} and ${values.length - texts.length} more`;
    texts.push(text);
  }
  return texts.join(", ");
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value.slice(0, MAX_VALUE + 1)) : JSON.stringify(value);
  return text.length > MAX_VALUE + 2 ? `${text.slice(0, MAX_VALUE)}…` : text;
}
