/** Returns the path of a section of the documentation that this program serves. */
export const docsPath = (page: "errors" | "troubleshooting", section: string): string =>
  `/docs/guide/${page}.html#${section}`;

/** Returns the command that prints a section, from its path. */
export const docsCommand = (path: string): string =>
  `proxy docs ${path.replace("/docs/guide/", "").replace(".html", "")}`;
