import { gunzipSync } from "node:zlib";
import { Fault } from "../../base/fault.ts";
import { lazy } from "../../base/lazy.ts";
import { packedFiles } from "../packed-files.ts";
import { PAGE_HEADERS } from "../page-headers.ts";

const files = lazy(() => packedFiles("site.pack"));

/** A part of a page of the documentation, below one heading. */
interface GuideSection {
  /** The page's name, without `.html`. */
  readonly page: string;
  /** Empty for the page's own heading. */
  readonly anchor: string;
  /** The page's words in the navigation. */
  readonly title: string;
  readonly heading: string;
  /** 1 for the page's own heading. */
  readonly level: number;
  /** Markdown, without the heading. */
  readonly text: string;
}

/**
 * Returns a page, script or style sheet of the documentation, which `build/site/site.mjs` makes.
 *
 * @throws Fault no_such_route
 */
export function guideFile(name: string, asked: Headers): Promise<Response> {
  if (!files().has(name)) throw new Fault("no_such_route", { path: `/docs/guide/${name}` });
  const hashed = /-[0-9A-Z]{8}\.(?:js|css|svg)$/.test(name);
  return files().answer(
    name,
    asked,
    hashed ? { "Cache-Control": "public, max-age=31536000, immutable" } : PAGE_HEADERS,
  );
}

/** Returns the names of the files with their compressed sizes in bytes. */
export const guideFiles = (): Record<string, number> => files().sizes();

/** Returns all sections of the documentation, page by page. */
export function guideSections(): GuideSection[] {
  const rows = JSON.parse(gunzipSync(files().bytes("sections.json")).toString("utf8")) as [
    page: string,
    anchor: string,
    title: string,
    heading: string,
    text: string,
    level: number,
  ][];
  return rows.map(([page, anchor, title, heading, text, level]) => ({ page, anchor, title, heading, level, text }));
}
