import type { App } from "../../app.ts";
import { folded } from "../../scan/confusable.ts";
import { maskedRecord } from "../../servers/record.ts";
import { type Caller, INTERNAL } from "../../shape/caller.ts";
import type { ServerRecord } from "../../shape/server-record.ts";
import { type Finding, type Remedy, typed } from "../finding.ts";

/** Servers that do not work, and whatever waits for a person. */
export function servers(app: App, { tier }: Pick<Caller, "tier">): Finding[] {
  const all = app.config.current().mcpServers;
  const each = all
    .filter(({ enabled }) => enabled)
    .flatMap(({ name }) => {
      const asks = app.upstreams.get(name)?.status().authRequired === true;
      return about(maskedRecord(app, name, { ...INTERNAL, tier }), asks);
    });
  return [...each, ...alike(all.map(({ name }) => name))];
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

/** @param asks it asks for a sign-in, which the health of one in quarantine does not say */
function about({ name, health, quarantined, quarantine, last_error }: ServerRecord, asks: boolean): Finding[] {
  const found: Finding[] = [];
  const detail = health.detail ?? last_error;
  // What is missing then is said by itself.
  const sick = health.level !== "healthy" && health.action !== "set_secret";
  if (sick)
    found.push({
      code: health.action === "login" ? "server_sign_in" : "server_failing",
      severity: health.level === "unhealthy" ? "error" : "warning",
      title:
        detail === undefined || health.action === "login"
          ? `Server "${name}": ${health.summary}`
          : `Server "${name}" ${health.level === "unhealthy" ? "is not working" : "needs a look"}`,
      ...(detail !== undefined && { detail }),
      server: name,
      remedy: remedy(name, health.action),
    });
  if (quarantined && asks && health.action !== "login")
    found.push({
      code: "server_sign_in",
      severity: "warning",
      title: `Server "${name}" asks for a sign-in`,
      detail: "Its tools are not known, and cannot be looked at, before somebody has signed in.",
      server: name,
      remedy: remedy(name, "login"),
    });
  if (quarantined)
    found.push({
      code: "server_quarantined",
      severity: "warning",
      title: `Server "${name}" waits in quarantine`,
      detail: `None of its tools can be called. Look at what they say first: proxy tools list -s ${typed(name)}`,
      server: name,
      remedy: {
        action: "Release it",
        command: `proxy upstream unquarantine ${typed(name)}`,
        route: "POST /api/v1/servers/{name}/unquarantine",
        params: { name },
      },
    });
  if (!quarantined) found.push(...waiting(name, quarantine));
  return found;
}

function waiting(name: string, counts: ServerRecord["quarantine"]): Finding[] {
  const { pending_count: pending = 0, changed_count: changed = 0 } = counts ?? {};
  const approve: Remedy = {
    action: "Approve them",
    command: `proxy tools approve ${typed(name)} --all`,
    route: "POST /api/v1/servers/{name}/tools/approve",
    params: { name },
    body: { approve_all: true },
  };
  const finding = (code: string, count: number, what: string, detail: string): Finding[] =>
    count === 0
      ? []
      : [{ code, severity: "warning", title: `${count} ${what} of "${name}"`, detail, server: name, remedy: approve }];
  return [
    ...finding("tools_changed", changed, "changed tool(s)", "Look at each change first: proxy tools diff."),
    ...finding("tools_pending", pending, "new tool(s)", "They cannot be called before somebody approves them."),
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
