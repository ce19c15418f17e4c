/** The routing mode of the endpoint on which a session was opened. */
export const MODES: Readonly<Record<string, string>> = {
  retrieve_tools: "tools by search",
  direct: "every tool",
  code_execution: "code",
};
