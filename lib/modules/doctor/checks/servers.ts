import type { App } from "../../../core/app.ts";
import { plural } from "../../../core/base/plural.ts";
import { type Caller, INTERNAL } from "../../../core/schema/caller.ts";
import type { ServerRecord } from "../../../core/schema/server-record.ts";
import { maskedRecord } from "../../../core/verbs/servers/record.ts";
import { folded } from "../../scan/rules/confusable.ts";
import { readStandings } from "../../scan/standing.ts";
import { type Finding, type Remedy, typed } from "../finding.ts";

/** Servers that do not work, and whatever waits for a person. */
export async function servers(app: App, { tier }: Pick<Caller, "tier">): Promise<Finding[]> {
  await readStandings(app, { tier });
  const all = app.config.current().mcpServers;
  const each = all
    .filter(({ enabled }) => enabled)
    .flatMap(({ name }) => about(maskedRecord(app, name, { ...INTERNAL, tier })));
  const names = all.map(({ name }) => name);
  return [...each, ...(tier === "admin" ? names.flatMap((name) => leftOut(app, name)) : []), ...alike(names)];
}

/** Told to administrators alone, since it holds names of tools that nobody has reviewed. */
function leftOut(app: App, name: string): Finding[] {
  const what = app.catalog.leftOut(name);
  if (what === "") return [];
  return [
    {
      code: "tools_left_out",
      severity: "warning",
      title: `Server ${plainly(name)} lists tools that are left out, or left out in part`,
      detail: what.replace(/[^ -~]/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`),
      remedy: { action: "Report it to whoever makes the server; nothing can use what is left out" },
    },
  ];
}

/** Characters without a look of their own. */
const UNSEEN = /[\p{Cf}\p{Mn}\p{Zs}]/gu;

/**
 * Names that people cannot tell apart: whoever reads one of them in a list may take it for the other. Told to
 * administrators alone, since it names several servers.
 */
function alike(names: readonly string[]): Finding[] {
  const looks = new Map<string, string[]>();
  for (const name of names) looks.set(looksLike(name), [...(looks.get(looksLike(name)) ?? []), name]);
  return [...looks.values()]
    .filter((same) => same.length > 1)
    .map((same) => ({
      code: "server_names_alike",
      severity: "warning",
      title: `Servers whose names look alike: ${same.map(plainly).join(", ")}`,
      detail: "A call that is meant for one of them may be approved or made for the other.",
      remedy: {
        action: "Look at both, and remove or rename the one that is not meant",
        command: "proxy upstream list",
      },
    }));
}

const looksLike = (name: string) => folded(name.normalize("NFKC")).replace(UNSEEN, "").toLowerCase();

/** A name with what cannot be seen, or is not what it seems, written out. */
const plainly = (name: string) =>
  JSON.stringify(name).replace(/[^ -~]/gu, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);

/** What is wrong with one server, the error before what waits for a review. */
function about({ name, health, quarantined, held, quarantine, last_error, tool_count, scan }: ServerRecord): Finding[] {
  const detail = health.detail ?? last_error;
  // A missing secret is a finding of its own, whose remedy stores it.
  const unwell = health.level !== "healthy" && health.action !== "set_secret";
  const state =
    health.level === "degraded"
      ? "needs a look"
      : quarantined
        ? "is not working, and is quarantined"
        : "is not working";
  const trouble: Finding[] = unwell
    ? [
        {
          code: health.action === "login" ? "server_sign_in" : "server_failing",
          severity: health.level === "unhealthy" ? "error" : "warning",
          title:
            detail === undefined || health.action === "login"
              ? `Server "${name}": ${health.summary}`
              : `Server "${name}" ${state}`,
          ...(detail !== undefined && { detail }),
          server: name,
          remedy: remedy(name, health.action),
        },
      ]
    : [];
  if (!quarantined) return [...trouble, ...waiting(name, quarantine)];
  if (held) return [confirmation(name)];
  return health.action === "approve" ? [...trouble, review(name, tool_count, scan?.verdict)] : trouble;
}

function confirmation(name: string): Finding {
  const server = typed(name);
  return {
    code: "server_held",
    severity: "warning",
    title: `Server "${name}" is held: it is not started until an administrator confirms it`,
    detail: `It was added or changed over MCP. Look at what it runs or reaches first: proxy upstream show ${server}`,
    server: name,
    remedy: {
      action: "Confirm it",
      command: `proxy upstream confirm ${server}`,
      route: "POST /api/v1/servers/{name}/confirm",
      params: { name },
    },
  };
}

function review(name: string, tools: number, verdict: "clean" | "suspicious" | "dangerous" | undefined): Finding {
  const server = typed(name);
  const what = tools === 1 ? "its tool says" : `its ${tools} tools say`;
  if (verdict === "dangerous")
    return {
      code: "server_quarantined",
      severity: "error",
      title: `Server "${name}" is in quarantine, and the scan rates it dangerous`,
      detail: `None of its tools can be called. Read what the scan found and what ${what}, or remove it: proxy upstream remove ${server}`,
      server: name,
      remedy: { action: "Read what the scan found", command: `proxy security report ${server}` },
    };
  return {
    code: "server_quarantined",
    severity: "warning",
    title: `Server "${name}" waits for a review in quarantine`,
    detail: `None of its tools can be called. Look at what ${what}, then approve or block each.`,
    server: name,
    remedy: {
      action: "Review it",
      command: `proxy review ${server}`,
      route: "POST /api/v1/servers/{name}/unquarantine",
      params: { name },
    },
  };
}

function waiting(name: string, counts: ServerRecord["quarantine"]): Finding[] {
  const { pending_count: pending = 0, changed_count: changed = 0 } = counts ?? {};
  const approve = (count: number): Remedy => ({
    action: count === 1 ? "Approve it" : "Approve them",
    command: `proxy tools approve ${typed(name)} --all`,
    route: "POST /api/v1/servers/{name}/tools/approve",
    params: { name },
    body: { approve_all: true },
  });
  const finding = (code: string, count: number, what: string, detail: string): Finding[] =>
    count === 0
      ? []
      : [
          {
            code,
            severity: "warning",
            title: `${plural(count, what)} of "${name}" ${count === 1 ? "waits" : "wait"} for approval`,
            detail,
            server: name,
            remedy: approve(count),
          },
        ];
  return [
    ...finding("tools_changed", changed, "changed tool", "Look at each change first: proxy tools diff."),
    ...finding("tools_pending", pending, "new tool", "No call goes through before a person has approved it."),
  ];
}

function remedy(name: string, action: ServerRecord["health"]["action"]): Remedy {
  const server = typed(name);
  if (action === "configure")
    return { action: "Look at its definition and change it", command: `proxy upstream patch ${server} --help` };
  if (action === "restart")
    return {
      action: "Connect again",
      command: `proxy upstream restart ${server}`,
      route: "POST /api/v1/servers/{name}/restart",
      params: { name },
    };
  if (action === "login")
    return {
      action: "Sign in at the server",
      command: `proxy upstream login ${server}`,
      route: "POST /api/v1/servers/{name}/login",
      params: { name },
    };
  return {
    action: "Read its log",
    command: `proxy upstream logs ${server}`,
    route: "GET /api/v1/servers/{name}/logs",
    params: { name },
  };
}
