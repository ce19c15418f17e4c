import type { ComponentType } from "preact";
import type { IconName } from "./parts/icon.tsx";

/** The props of a page: the parameters of its path. */
export type PageProps = Readonly<Record<string, string>>;

export interface PageEntry {
  /** Path below /ui; `{name}` is a parameter. The first one is used in the navigation. */
  paths: readonly [string, ...string[]]; // at least one
  title: string;
  icon: IconName;
  /** Heading in the navigation; a page without one is not listed there. */
  group?: "" | "Use" | "Trust" | "System";
  /** Who may see it; by default all signed-in users. `team`: in the multi-user edition only. */
  who?: "admin" | "team" | "team-admin";
  /** The shortcut that opens it: `g s`. */
  keys?: string;
  load(): Promise<{ default: ComponentType<PageProps> }>;
}

/** Whether the signed-in user may see a page. The API enforces rights; this only hides useless links. */
export function isFor({ who }: PageEntry, session: { tier: string; provider?: string | undefined }): boolean {
  const [admins, teams] = [who === "admin" || who === "team-admin", who === "team" || who === "team-admin"];
  return (!admins || session.tier === "admin") && (!teams || session.provider !== undefined);
}

/** All pages, in the order of the navigation. */
// biome-ignore format: a table
export const PAGES: readonly PageEntry[] = [
  { paths: ["/"], title: "Overview", icon: "overview", group: "", keys: "g o", load: () => import("./views/overview.tsx") },
  { paths: ["/servers"], title: "Servers", icon: "servers", group: "", keys: "g s", load: () => import("./views/servers.tsx") },
  { paths: ["/approvals"], title: "Approvals", icon: "approvals", group: "", keys: "g a", who: "admin", load: () => import("./views/approvals.tsx") },
  { paths: ["/tools"], title: "Tools", icon: "tools", group: "Use", keys: "g t", load: () => import("./views/tools.tsx") },
  { paths: ["/activity"], title: "Activity", icon: "activity", group: "Use", keys: "g l", load: () => import("./views/activity.tsx") },
  { paths: ["/code"], title: "Code", icon: "code", group: "Use", keys: "g x", load: () => import("./views/code.tsx") },
  { paths: ["/sessions"], title: "Sessions", icon: "sessions", group: "Use", keys: "g n", load: () => import("./views/sessions.tsx") },
  { paths: ["/connect"], title: "Connect", icon: "connect", group: "Use", keys: "g i", who: "admin", load: () => import("./views/connect.tsx") },
  { paths: ["/registries", "/registries/{tab}"], title: "Registries", icon: "registry", group: "Trust", keys: "g r", who: "admin", load: () => import("./views/registries.tsx") },
  { paths: ["/security", "/security/{tab}"], title: "Security", icon: "shield", group: "Trust", keys: "g y", who: "admin", load: () => import("./views/security.tsx") },
  { paths: ["/secrets"], title: "Secrets", icon: "secrets", group: "Trust", keys: "g k", who: "admin", load: () => import("./views/secrets.tsx") },
  { paths: ["/tokens", "/tokens/{tab}"], title: "Tokens and profiles", icon: "tokens", group: "Trust", keys: "g p", who: "admin", load: () => import("./views/tokens.tsx") },
  { paths: ["/configuration", "/configuration/{tab}"], title: "Configuration", icon: "settings", group: "System", keys: "g c", who: "admin", load: () => import("./views/configuration.tsx") },
  { paths: ["/account", "/account/{tab}"], title: "My account", icon: "users", group: "Trust", keys: "g m", who: "team", load: () => import("./views/account.tsx") },
  { paths: ["/users", "/users/{tab}"], title: "Users", icon: "users", group: "System", keys: "g u", who: "team-admin", load: () => import("./views/users.tsx") },
  { paths: ["/notifications"], title: "Notifications", icon: "bell", group: "System", who: "admin", load: () => import("./views/notifications.tsx") },
  { paths: ["/doctor"], title: "Doctor", icon: "doctor", group: "System", keys: "g d", load: () => import("./views/doctor.tsx") },
  { paths: ["/about"], title: "About", icon: "about", group: "System", load: () => import("./views/about.tsx") },
  { paths: ["/welcome"], title: "Welcome", icon: "play", load: () => import("./views/overview/welcome.tsx") },
  { paths: ["/setup"], title: "Set up", icon: "play", who: "admin", load: () => import("./views/setup.tsx") },
  { paths: ["/servers/{name}", "/servers/{name}/{tab}"], title: "Server", icon: "servers", load: () => import("./views/server.tsx") },
  { paths: ["/tools/{server}/{tool}"], title: "Tool", icon: "tools", load: () => import("./views/tool.tsx") },
  { paths: ["/connect/{client}"], title: "Client", icon: "connect", load: () => import("./views/client.tsx") },
  { paths: ["/activity/{id}"], title: "Record", icon: "activity", load: () => import("./views/activity-record.tsx") },
  { paths: ["/registries/{registry}/{server}"], title: "Registry server", icon: "registry", load: () => import("./views/registry-server.tsx") },
  { paths: ["/sessions/{id}"], title: "Session", icon: "sessions", load: () => import("./views/session.tsx") },
  { paths: ["/security/servers/{name}"], title: "Scan", icon: "shield", load: () => import("./views/scan.tsx") },
];
