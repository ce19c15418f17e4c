/** The page with the interactive reference. Its URLs are relative, so that it also works below another path. */
export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>proxy: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<noscript>The interactive reference needs JavaScript; the document itself is <a href="spec.yaml">spec.yaml</a>.</noscript>
<script src="swagger-ui.js"></script>
<script src="start.js"></script>
</body>
</html>
`;

/** Starts the library. The key stays in memory, and calls go to the origin of the page. */
export const REFERENCE_SCRIPT = `"use strict";
fetch("spec.json").then((answer) => answer.json()).then((spec) => {
  spec.servers = [{ url: new URL("..", location.href).href.replace(/\\/$/, "") }];
  SwaggerUIBundle({
    spec,
    dom_id: "#reference",
    deepLinking: true,
    docExpansion: "list",
    filter: true,
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
    tagsSorter: "alpha",
  });
});
`;
