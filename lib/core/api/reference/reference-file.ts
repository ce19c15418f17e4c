import { asset } from "../../base/asset.ts";
import { Fault } from "../../base/fault.ts";
import { SCHEMA_ASSET, SCHEMA_FILE } from "../../config/schema-file.ts";
import { answerCompressed } from "../page-headers.ts";
import { REFERENCE_SCRIPT } from "./page.ts";

/** The files of the page by name, with media type and content. Assets are stored compressed. */
const FILES: Record<string, { type: string; text?: string; asset?: string }> = {
  [SCHEMA_FILE]: { type: "application/schema+json", asset: SCHEMA_ASSET },
  "start.js": { type: "text/javascript", text: REFERENCE_SCRIPT },
  "swagger-ui.js": { type: "text/javascript", asset: "swagger-ui.js.gz" },
  "swagger-ui.css": { type: "text/css", asset: "swagger-ui.css.gz" },
  "swagger-ui-licences.txt": { type: "text/plain", asset: "swagger-ui-licences.txt.gz" },
};

/**
 * Returns a file of the reference's page, compressed if the browser accepts that.
 *
 * @throws Fault no_such_route
 */
export async function referenceFile(name: string, asked: Headers): Promise<Response> {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (!file) throw new Fault("no_such_route", { path: `/docs/${name}` });
  const headers = { "Cache-Control": "no-cache" };
  if (file.asset !== undefined) return answerCompressed(asset(file.asset), file.type, asked, headers);
  return new Response(file.text, { headers: { ...headers, "Content-Type": `${file.type}; charset=utf-8` } });
}
