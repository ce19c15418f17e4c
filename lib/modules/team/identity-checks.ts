import type { App } from "../../core/app.ts";
import type { ServerConfig } from "../../core/config/config-keys.ts";
import type { Caller } from "../../core/schema/caller.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { oauth } from "../oauth/state.ts";
import { currentEdition, type Edition } from "./edition.ts";

/** Maximum number of servers whose authorization servers are contacted. */
const MAX_CONTACTED = 20;

/** Reports what keeps servers with the mode `id_jag` from getting people's tokens. */
export async function identityFindings(app: App, { tier }: Pick<Caller, "tier">): Promise<DoctorFinding[]> {
  const servers = app.config
    .current()
    .mcpServers.filter(({ enabled, auth_broker }) => enabled && auth_broker?.mode === "id_jag");
  if (servers.length === 0) return [];
  const edition = currentEdition(app);
  if (!edition) return [withoutEdition(servers)];
  return [...withoutOfflineAccess(edition, servers), ...(await withoutMetadata(app, servers, tier === "admin"))];
}

const namesOf = (servers: readonly ServerConfig[]) => servers.map(({ name }) => name).join(", ");

function withoutEdition(servers: readonly ServerConfig[]): DoctorFinding {
  return {
    code: "identity_without_edition",
    severity: "error",
    title: `Servers use the identity of each user, but the multi-user edition is disabled: ${namesOf(servers)}`,
    detail: "The proxy knows no users, so all callers share one sign-in at these servers.",
    remedy: { action: "Enable server_edition, or remove auth_broker from these servers" },
  };
}

/** An identity provider issues a refresh token only for this scope; some have another way. */
function withoutOfflineAccess({ oauth: { scopes } }: Edition, servers: readonly ServerConfig[]): DoctorFinding[] {
  if (scopes?.includes("offline_access")) return [];
  return [
    {
      code: "identity_without_offline_access",
      severity: "info",
      title: `Users must sign in to the proxy again when their ID token expires, before they can use ${namesOf(servers)}`,
      detail: "The proxy requests no refresh token: server_edition.oauth.scopes does not contain offline_access.",
      remedy: { action: "Set server_edition.oauth.scopes to openid, profile, email, offline_access" },
    },
  ];
}

/** @param withWords whether the caller may see texts that others wrote */
async function withoutMetadata(
  app: App,
  servers: readonly ServerConfig[],
  withWords: boolean,
): Promise<DoctorFinding[]> {
  const contacted = servers.filter(({ held }) => held !== true).slice(0, MAX_CONTACTED);
  const found = await Promise.all(
    contacted.map(async ({ name }): Promise<DoctorFinding[]> => {
      const problem = await app.part(oauth).checkAuthority(name);
      if (!problem) return [];
      return [
        {
          code: "identity_server_metadata",
          severity: "error",
          title: `Users cannot use server "${name}": the metadata of its authorization server cannot be used`,
          ...(withWords && { detail: problem.reason }),
          server: name,
          remedy: { action: problem.remedy },
        },
      ];
    }),
  );
  return found.flat();
}
