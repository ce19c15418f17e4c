/** Keys and list positions from the top of the document. */
export type Path = readonly (string | number)[];

/** Writes a path as people do: `mcpServers[2].env["A.B"]`. */
export function pathText(path: Path): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(step)) text += text === "" ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}
