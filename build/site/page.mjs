// @ts-check
/** The HTML of a page of the documentation: header, navigation, text, and the headings of the page. */
import { NAVIGATION, PAGES } from "./navigation.mjs";

const escaped = (/** @type {string} */ text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/**
 * @param {object} options
 * @param {import("./navigation.mjs").Page} options.page
 * @param {import("./markdown.mjs").Rendered} options.rendered
 * @param {string} options.version
 * @param {string} options.api address of the API reference
 * @param {string[]} options.names the scripts and style sheets
 */
export function pageHtml({ page, rendered, version, api, names }) {
  const named = (/** @type {RegExp} */ like) => names.find((name) => like.test(name)) ?? "";
  const title = page.name === "index" ? "proxy: documentation" : `${rendered.title} · proxy`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" type="image/svg+xml" href="${named(/^icon-/)}">
<link rel="stylesheet" href="${named(/^style-.*css$/)}">
<script src="${named(/^theme-.*js$/)}"></script>
<script src="${named(/^site-.*js$/)}" defer></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="home" href="index.html">proxy</a>
<div id="search"></div>
<nav aria-label="Other pages"><a href="${api}">API reference</a></nav>
<div id="theme"></div>
</header>
<div class="columns">
<details class="menu">
<summary>All pages</summary>
${navigation(page)}
</details>
<nav class="pages" aria-label="Pages">
${navigation(page)}
</nav>
<main id="text" tabindex="-1">
<article>
${rendered.html}</article>
${neighbours(page)}
<footer>proxy ${escaped(version)}</footer>
</main>
${contents(rendered)}
</div>
</body>
</html>
`;
}

/** @param {import("./navigation.mjs").Page} current */
function navigation(current) {
  return NAVIGATION.map(({ title, pages }) => {
    const items = pages.map(
      ({ name, label }) =>
        `<li><a href="${name}.html"${name === current.name ? ' aria-current="page"' : ""}>${escaped(label)}</a></li>`,
    );
    return `<h2>${title}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
  }).join("\n");
}

/** Links to the previous and the next page. @param {import("./navigation.mjs").Page} page */
function neighbours(page) {
  const at = PAGES.indexOf(page);
  const link = (/** @type {import("./navigation.mjs").Page | undefined} */ to, /** @type {string} */ rel) =>
    to ? `<a rel="${rel}" href="${to.name}.html">${escaped(to.label)}</a>` : "";
  return `<nav class="neighbours" aria-label="Next pages">${link(PAGES[at - 1], "prev")}${link(PAGES[at + 1], "next")}</nav>`;
}

/** The headings of the page. @param {import("./markdown.mjs").Rendered} rendered */
function contents({ sections }) {
  const shown = sections.filter(({ anchor, level }) => anchor !== "" && level <= 3);
  if (shown.length < 2) return "";
  const items = shown.map(
    ({ anchor, heading, level }) =>
      `<li class="level-${level}"><a href="#${escaped(anchor)}">${escaped(heading)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page">\n<h2>On this page</h2>\n<ul>\n${items.join("\n")}\n</ul>\n</nav>`;
}
