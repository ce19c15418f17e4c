import { gunzipSync } from "node:zlib";
import { asset } from "../../base/asset.ts";
import { Fault } from "../../base/fault.ts";
import { START } from "./page.ts";

/** The files beside the page, by name: media type, and what is in them, compressed where it is an asset. */
const FILES: Record<string, { type: string; text?: string; asset?: string }> = {
  "start.js": { type: "text/javascript", text: START },
  "swagger-ui.js": { type: "text/javascript", asset: "swagger-ui.js.gz" },
  "swagger-ui.css": { type: "text/css", asset: "swagger-ui.css.gz" },
  "swagger-ui-licences.txt": { type: "text/plain", asset: "swagger-ui-licences.txt.gz" },
};

/**
 * Answers a file of the reference's page, compressed when the browser takes that.
 *
 * @throws Fault no_such_route
 */
export function pageFile(name: string, acceptEncoding: string): Response {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (!file) throw new Fault("no_such_route", { path: `/docs/${name}` });
  const headers = {
    "Content-Type": `${file.type}; charset=utf-8`,
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
    Vary: "Accept-Encoding",
  };
  if (file.asset === undefined) return new Response(file.text, { headers });
  const packed = asset(file.asset);
  if (!/\bgzip\b(?!\s*;\s*q=0(\.0*)?(,|$))/.test(acceptEncoding))
    return new Response(new Uint8Array(gunzipSync(packed)), { headers });
  return new Response(new Uint8Array(packed), { headers: { ...headers, "Content-Encoding": "gzip" } });
}
