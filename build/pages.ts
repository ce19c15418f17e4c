/** The generated pages of docs/, which `npm run docs` writes. */
import { endpoints } from "#handlers/routes.gen.ts";
import { errorsPage } from "#lib/core/api/openapi/errors-page.ts";
import { openapiDocument } from "#lib/core/api/openapi/openapi.ts";
import { configurationPage } from "#lib/core/config/configuration-page.ts";
// The pages contain the faults and the configuration of the modules too.
import "#lib/modules/modules.gen.ts";

/** Each page's path and text. @param version the program's own, as package.json says */
export function pages(version: string): Record<string, string> {
  const site = { version, baseUrl: "http://127.0.0.1:8080" };
  return {
    "docs/configuration.md": configurationPage(),
    "docs/errors.md": errorsPage(),
    "docs/openapi.json": perOperation(openapiDocument(endpoints, site)),
  };
}

/** JSON with one line for each operation, so that a diff shows one line for a changed endpoint. */
function perOperation({ paths, ...rest }: ReturnType<typeof openapiDocument>): string {
  const lines = Object.entries(paths as Record<string, Record<string, unknown>>).map(([path, operations]) => {
    const own = Object.entries(operations).map(([method, it]) => `${JSON.stringify(method)}: ${JSON.stringify(it)}`);
    return `${JSON.stringify(path)}: {\n${own.join(",\n")}\n}`;
  });
  const head = Object.entries(rest).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{\n${[...head, `"paths": {\n${lines.join(",\n")}\n}`].join(",\n")}\n}\n`;
}
