// @ts-check
/** Renders one Markdown page with markdown-it: headings with GitHub's anchors, links to the pages of the site. */
import { dirname, join } from "node:path/posix";
import MarkdownIt from "markdown-it";

/**
 * @typedef {object} Section a part of a page below one heading
 * @property {string} anchor empty for the page's own heading
 * @property {string} heading
 * @property {number} level
 * @property {string} text Markdown, without the heading
 */
/**
 * @typedef {object} Rendered
 * @property {string} title
 * @property {string} html
 * @property {Section[]} sections
 */

/** A table whose cells are pictures only. */
const PICTURES = /^\| \| \|\n\| --- \| --- \|\n(?:\| !\[.*\n)+/gm;

/**
 * @param {string} source path of the page in the repository
 * @param {string} text
 * @param {{ linkTo(path: string): string | undefined, pictures: boolean }} options linkTo: the address of a file of the
 * repository in the site
 * @returns {Rendered}
 * @throws Error for a link to a file that is not in the site
 */
export function render(source, text, { linkTo, pictures }) {
  const markdown = pictures ? text : text.replace(PICTURES, "");
  const md = new MarkdownIt({ html: true });
  const tokens = md.parse(markdown, {});
  const headings = anchored(tokens);
  for (const token of tokens) for (const child of token.children ?? []) relink(child, source, linkTo);
  for (const token of tokens) {
    if (token.type === "table_open") token.attrSet("tabindex", "0");
    if (token.type === "fence" || token.type === "code_block") token.attrSet("tabindex", "0");
  }
  const { rules } = md.renderer;
  rules.table_open = () => '<div class="table" tabindex="0" role="region" aria-label="Table"><table>';
  rules.table_close = () => "</table></div>";
  rules.fence = (all, at) =>
    `<pre tabindex="0" data-language="${md.utils.escapeHtml(all[at]?.info ?? "")}"><code>${md.utils.escapeHtml(all[at]?.content ?? "")}</code></pre>`;
  rules.heading_close = (all, at) => {
    const id = all[at - 2]?.attrGet("id");
    const link = id
      ? ` <a class="anchor" href="#${md.utils.escapeHtml(id)}" aria-label="Link to this section">#</a>`
      : "";
    return `${link}</${all[at]?.tag}>`;
  };
  const sections = sectionsOf(markdown, headings);
  return { title: headings[0]?.heading ?? source, html: md.renderer.render(tokens, md.options, {}), sections };
}

/** @typedef {{ anchor: string, heading: string, level: number, line: number, end: number }} Heading */

/**
 * Gives each heading the anchor that GitHub gives it. @param {import("markdown-it").Token[]} tokens
 * @returns {Heading[]}
 */
function anchored(tokens) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return tokens.flatMap((token, at) => {
    if (token.type !== "heading_open") return [];
    const inline = tokens[at + 1];
    const heading = (inline?.children ?? []).map(({ content }) => content).join("");
    const slug = slugOf(inline?.content ?? heading);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    const anchor = count === 0 ? slug : `${slug}-${count}`;
    token.attrSet("id", anchor);
    const [line = 0, end = 0] = token.map ?? [];
    return [{ anchor, heading, level: Number(token.tag.slice(1)), line, end }];
  });
}

/** @param {string} heading */
export const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** @param {string} markdown @param {Heading[]} headings @returns {Section[]} */
function sectionsOf(markdown, headings) {
  const lines = markdown.split("\n");
  return headings.map(({ anchor, heading, level, end }, at) => {
    const text = lines
      .slice(end, headings[at + 1]?.line)
      .join("\n")
      .trim();
    return { anchor: at === 0 ? "" : anchor, heading, level, text };
  });
}

/**
 * @param {import("markdown-it").Token} token @param {string} source
 * @param {(path: string) => string | undefined} linkTo
 */
function relink(token, source, linkTo) {
  const name = token.type === "link_open" ? "href" : token.type === "image" ? "src" : undefined;
  const to = name && token.attrGet(name);
  if (!name || !to || /^[a-z]+:/i.test(to) || to.startsWith("#")) return;
  const [path = "", anchor] = to.split("#");
  const found = linkTo(join(dirname(source), path).replace(/\/$/, ""));
  if (found === undefined) throw new Error(`${source} links to ${to}, which is not in the site (build/site/site.mjs)`);
  token.attrSet(name, anchor === undefined ? found : `${found}#${anchor}`);
}
