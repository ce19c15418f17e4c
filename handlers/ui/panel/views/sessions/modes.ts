/** What a client is shown at the endpoint its session was opened on. */
export const MODES: Readonly<Record<string, string>> = {
  retrieve_tools: "tools by search",
  direct: "every tool",
  code_execution: "code",
};
