import type * as v from "valibot";
import { PROXY_VARIABLES } from "../dial/proxy-for.ts";
import { AUTHORITY_VARIABLES, SYSTEM_PREFIXES, SYSTEM_VARIABLES } from "../upstream/environment.ts";
import { ENV_VARIABLES } from "./env.ts";
import { CONFIG_KEYS, ServerConfig } from "./schema.ts";
import { unwrap } from "./survey.ts";

/** docs/configuration.md, written from the schema. */
export function configurationPage(): string {
  const rows = CONFIG_KEYS.map(({ key, schema, facts, description }) => [
    code(key),
    typeOf(schema),
    defaultOf(schema),
    facts.reload === "restart" ? "restart" : facts.restartWithin ? "mostly hot" : "hot",
    description,
  ]);
  const objects = CONFIG_KEYS.filter(({ key }) => key !== "mcpServers").flatMap(({ key, schema }) =>
    membersOf(key, schema),
  );
  return [
    INTRODUCTION,
    "## Keys\n",
    table(["Key", "Type", "Default", "Change", "Meaning"], rows),
    RESTART,
    "## Members of objects\n",
    table(["Key", "Type", "Default", "Meaning"], objects),
    "## `mcpServers`\n",
    SERVERS,
    table(["Key", "Type", "Default", "Meaning"], membersOf("", ServerConfig as unknown as v.GenericSchema)),
    "## Environment\n",
    ENVIRONMENT,
    table(
      ["Variable", "Key"],
      ENV_VARIABLES.map((variable) => [code(variable.name), code(variable.path.join("."))]),
    ),
    "## Proxies and certificate authorities of the machine\n",
    OUTBOUND,
    "## What child processes inherit\n",
    INHERITED,
  ].join("\n");
}

interface Shape {
  type: string;
  wrapped?: Shape;
  default?: unknown;
  entries?: Record<string, Shape>;
  item?: Shape;
  pipe?: readonly (Shape | Action)[];
}
interface Action {
  type: string;
  metadata?: { form?: string };
  description?: string;
}

/** One row for each member, those of inner objects after their own, by their full path. */
function membersOf(path: string, schema: v.GenericSchema | Shape): string[][] {
  const shape = unwrap(schema as never) as Shape;
  const isList = shape.type === "array";
  const entries = isList ? (unwrap(shape.item as never) as Shape).entries : shape.entries;
  const prefix = path === "" ? "" : `${path}${isList ? "[]" : ""}.`;
  return Object.entries(entries ?? {}).flatMap(([key, member]) => [
    [code(prefix + key), typeOf(member), defaultOf(member), descriptionOf(member)],
    ...membersOf(prefix + key, member),
  ]);
}

function typeOf(schema: v.GenericSchema | Shape): string {
  const shape = unwrap(schema as never) as Shape;
  const form = actions(shape).find((action) => action.type === "metadata")?.metadata?.form;
  return form ?? TYPES[shape.type] ?? shape.type;
}

/** Everything piped to a schema; what was piped first may be piped again. */
function actions(shape: Shape): Action[] {
  const [inner, ...piped] = shape.pipe ?? [];
  return inner ? [...actions(inner as Shape), ...piped] : [];
}

const TYPES: Record<string, string> = {
  string: "string",
  boolean: "`true`, `false`",
  loose_object: "object",
  array: "list of objects",
};

function defaultOf(schema: v.GenericSchema | Shape): string {
  const value = (schema as Shape).default;
  if (value === undefined) return "";
  return typeof value === "object" && !Array.isArray(value) ? "" : code(JSON.stringify(value));
}

function descriptionOf(shape: Shape): string {
  return actions(unwrap(shape as never) as Shape).find((action) => action.type === "description")?.description ?? "";
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return `${[line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")}\n`;
}

const INTRODUCTION = `# Configuration

This page is written from the schema (\`npm run docs\`); change \`lib/config/\`, not the page.

One JSON file, \`mcp_config.json\`, holds all settings and servers. It is looked for at \`--config\`, else in the data
directory: \`--data-dir\`, else \`SERVICE_DATA\`, else \`~/.mcpproxy\`. With \`--config\` alone, the data directory is the
file's own \`data_dir\`, else the folder of the file. The first start makes what is missing: the folder (0700), the file
(0600) and an administrator key, which is shown once.

\`\`\`json
{
  "api_key": "…",
  "mcpServers": [
    { "name": "files", "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"] },
    { "name": "tracker", "url": "https://tracker.example/mcp", "headers": { "Authorization": "Bearer \${keyring:tracker}" } }
  ]
}
\`\`\`

- **Precedence**: built-in default, file, environment, command line. What comes from environment or command line is never
  written into the file.
- **Changes by hand** are taken over within a second. A broken edit leaves the settings in force as they were; the log,
  \`proxy doctor\` and the event \`config.problem\` say where it is broken. At a start, a broken file ends the program with
  exit code 2, naming line and key.
- **Changes through the program** are on the disk before they are answered. They keep key order and keys this program
  does not know. A broken edit by hand is not overwritten: such a change is refused until the file is mended.
- **Two editors**: what is read over REST carries an \`ETag\`; a change sent with it as \`If-Match\` is refused (412) when
  somebody else was faster. This holds for every change of a server (its own \`ETag\`) and of the configuration, POST and
  DELETE included. The last twenty contents are kept with who and when: \`proxy config history\` and
  \`proxy config restore\`, which work without a running proxy and over a broken file too (\`--force\` while one runs); the
  broken text is kept beside the file. An empty file, or a \`--config\` that leads nowhere, is refused with exit code 2;
  \`proxy serve --config FILE --init\` makes the file. A whole configuration that drops the administrator's key or all
  servers is applied only when confirmed: \`proxy config apply FILE --confirm\`.
- **Masks**: what is shown never holds a secret. A mask that comes back in its own place means what is stored there;
  anywhere else it is refused.
- **References**: \`\${env:NAME}\` and \`\${keyring:NAME}\` may stand in any text, alone or as a part. They become values at
  the moment of use and are never written out. A reference without a value stops what needs it, with its name.
- **Durations** are texts such as \`30s\`, \`2m\`, \`1m30s\`. \`null\` and, for everything but \`listen\`, an empty text mean
  "not set" where a text is expected; an empty text in place of a switch, number, list or object is refused. A key given twice is refused. There are no comments.
`;

const OUTBOUND = `The proxy reaches HTTP servers, sign-in servers, registries and the list of releases through the HTTP proxy that
\`HTTPS_PROXY\`, \`HTTP_PROXY\` or \`ALL_PROXY\` names (\`http://user:password@host:port\` or \`https://…\`; the lower-case name
counts first), unless \`NO_PROXY\` lists the host: names (with everything below them), \`host:port\`, addresses, networks such as
\`10.0.0.0/8\`, or \`*\`. This machine (\`localhost\`, \`127.0.0.0/8\`, \`::1\`) is always reached directly. SOCKS proxies are not
supported; \`proxy doctor\` says so. Addresses inside this machine's networks stay refused where they are refused without a
proxy; a name that this machine can look up is checked before the proxy is asked. Where the name leads in the end is
the HTTP proxy's decision. Its password is sent to it alone and masked wherever it could be shown.

Trusted are the authorities that Node brings along, those in \`NODE_EXTRA_CA_CERTS\` (the single executable reads it, too), and
those in \`SSL_CERT_FILE\` and \`SSL_CERT_DIR\`, which add to the others rather than replace them. All of these are read at the start.
\`proxy doctor\` names a file that cannot be read and a server that met a certificate it does not trust.
`;

const INHERITED = `With \`environment.inherit_system_safe\` (the default) a server that is a program inherits these variables of the proxy, and
nothing else but what \`environment.allowed_system_vars\`, \`environment.custom_vars\` and its own \`env\` add:

- system: ${SYSTEM_VARIABLES.map((name) => code(name)).join(", ")}, and names that begin with
  ${SYSTEM_PREFIXES.map((name) => code(name)).join(", ")};
- certificate authorities: ${AUTHORITY_VARIABLES.map((name) => code(name)).join(", ")};
- HTTP proxies: ${PROXY_VARIABLES.map((name) => code(name)).join(", ")}.

The light sandbox shows a server the files that the second group names. A container inherits none of these variables: a path of
this machine means nothing in an image, and a proxy on this machine is not reached from one. Give it both in its entry:
\`"env": { "SSL_CERT_FILE": "/corp.pem" }, "isolation": { "extra_args": ["-v", "/etc/corp.pem:/corp.pem:ro"] }\`.
`;

const RESTART = `*hot*: takes effect at once. *restart*: kept, reported as pending, and adopted at the next start. *mostly hot*: of
\`logging\`, \`log_dir\` waits for a restart; of \`server_edition\`, \`admin_emails\` and \`access\` are hot and the rest waits.
A change of \`environment\` or \`docker_isolation\` starts the servers anew that it concerns.
`;

const SERVERS = `A server needs a \`command\` (it is started and spoken to over its standard streams) or a \`url\`. Names are unique.
`;

const ENVIRONMENT = `Lists are comma-separated; switches are \`true\`, \`false\`, \`1\`, \`0\`, \`yes\`, \`no\`, \`on\`, \`off\`. An empty variable says
nothing. A bad value ends the start with its name.
`;
