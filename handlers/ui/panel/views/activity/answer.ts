/** The text of a response that contains only text; undefined for any other. */
export function answerText(response: string): string | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(response);
  } catch {
    return undefined;
  }
  if (!isObject(answer) || !Array.isArray(answer.content) || answer.content.length === 0) return undefined;
  const texts = answer.content.map((block) => (isObject(block) && block.type === "text" ? block.text : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : undefined;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
