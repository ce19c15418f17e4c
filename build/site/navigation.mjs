// @ts-check
/** The pages of the documentation, in the order of the navigation. A page that is not listed here fails the build. */

/**
 * @typedef {object} Page
 * @property {string} source the Markdown file
 * @property {string} name the file name in the site, without `.html`
 * @property {string} label its words in the navigation
 */

/** @type {(name: string, label: string) => Page} */
const doc = (name, label) => ({ source: `docs/${name}.md`, name, label });
/** @type {(name: string, label: string) => Page} */
const internal = (name, label) => ({ source: `docs/internals/${name}.md`, name: `internals-${name}`, label });

/** @type {{ title: string, pages: Page[] }[]} */
export const NAVIGATION = [
  {
    title: "Start",
    pages: [
      { source: "README.md", name: "index", label: "First steps" },
      doc("install", "Install"),
      doc("walkthrough", "Walk-through"),
      doc("panel", "Control panel"),
      doc("faq", "Questions"),
    ],
  },
  {
    title: "Guides",
    pages: [
      doc("connect", "Connect clients"),
      doc("upstreams", "Add servers"),
      doc("registries", "Find servers"),
      doc("security", "Security and reviews"),
      doc("scanning", "Scan tools"),
      doc("isolation", "Isolate servers"),
      doc("lock", "Pin servers"),
      doc("sign-in", "Sign-in of clients"),
      doc("team", "Several users"),
      doc("deploy", "Deploy"),
      doc("cluster", "Several replicas"),
      doc("storage", "Storage and backup"),
    ],
  },
  {
    title: "Watch",
    pages: [
      doc("notifications", "Notifications"),
      doc("logs", "Records to other systems"),
      doc("metrics", "Metrics"),
      doc("opentelemetry", "OpenTelemetry"),
      doc("audit", "Audit log"),
      doc("program-log", "Program log"),
    ],
  },
  {
    title: "Solve",
    pages: [doc("recipes", "Recipes"), doc("troubleshooting", "Troubleshooting"), doc("errors", "Errors")],
  },
  {
    title: "Reference",
    pages: [
      doc("configuration", "Configuration"),
      doc("cli", "Command line"),
      doc("rest", "REST API"),
      doc("events", "Events and activity"),
      doc("mcp", "MCP endpoints"),
      doc("glossary", "Glossary"),
    ],
  },
  {
    title: "Project",
    pages: [
      doc("comparison", "Comparison"),
      { source: "CHANGELOG.md", name: "changelog", label: "Changes" },
      { source: "SECURITY.md", name: "security-policy", label: "Report a vulnerability" },
      { source: "CONTRIBUTING.md", name: "contributing", label: "Contribute" },
    ],
  },
  {
    title: "Internals",
    pages: [
      { source: "docs/internals/README.md", name: "internals", label: "Overview" },
      doc("architecture", "Architecture"),
      internal("adding", "Add endpoints and commands"),
      internal("adding-a-module", "Add a module"),
      internal("guarantees", "Security guarantees"),
      internal("mcp", "MCP and the call path"),
      internal("upstream", "Upstream connections"),
      internal("performance", "Performance"),
      internal("flame-graphs", "Flame graphs"),
      internal("search", "Search"),
      internal("storage", "Database"),
      internal("cluster", "Cluster"),
      internal("scale", "Scale"),
      internal("events", "Event stream"),
      internal("scanning", "Scan of definitions"),
      internal("sensitive-data", "Sensitive data"),
      internal("sign-in", "Sign-in of clients"),
      internal("notifications", "Notifications"),
      internal("sinks", "Sinks"),
      internal("metrics", "Metrics"),
      internal("opentelemetry", "OpenTelemetry"),
      internal("panel", "Control panel"),
      internal("packaging", "Packaging"),
    ],
  },
];

/** All pages. */
export const PAGES = NAVIGATION.flatMap(({ pages }) => pages);
