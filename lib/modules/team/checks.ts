import type { App } from "../../core/app.ts";
import { isLoopback } from "../../core/base/host-port.ts";
import type { DoctorCheck } from "../../core/extension/doctor-checks.ts";
import type { DoctorFinding } from "../../core/schema/doctor-shapes.ts";
import { credentialKey } from "../oauth/user-key.ts";
import { currentEdition, type Edition } from "./edition.ts";
import { identityFindings } from "./identity-checks.ts";

/** The checks that this module adds to `proxy doctor`. */
export const teamChecks: readonly DoctorCheck[] = [
  { name: "edition", area: "configuration", run: editionFindings },
  { name: "identities of users", area: "servers", run: identityFindings },
];

/** Reports settings of the multi-user edition that are valid but rarely intended (spec 001 §2.6). */
async function editionFindings(app: App): Promise<DoctorFinding[]> {
  const block = currentEdition(app);
  if (!block) return [];
  return [...people(block), ...address(block), ...grants(app, block), ...(await brokers(app))];
}

/** Reports servers with user sign-in if no key for their credentials is configured. */
async function brokers(app: App): Promise<DoctorFinding[]> {
  const meant = app.config.current().mcpServers.filter(({ auth_broker, enabled }) => auth_broker && enabled);
  if (meant.length === 0 || (await credentialKey(app))) return [];
  return [
    {
      code: "broker_without_key",
      severity: "error",
      title: `Users cannot sign in to ${meant.map(({ name }) => name).join(", ")}: there is no encryption key`,
      remedy: { action: "Set SERVICE_CRED_KEY in the environment of the proxy to base64 of 32 random bytes" },
    },
  ];
}

function people({ admin_emails, oauth }: Edition): DoctorFinding[] {
  const found: DoctorFinding[] = [];
  if (admin_emails.length === 0)
    found.push({
      code: "edition_no_admin",
      severity: "warning",
      title: "No user is an administrator",
      detail: "Only callers with the API key or on the local socket can administer this proxy.",
      remedy: { action: "Add addresses to server_edition.admin_emails; they take effect at the next sign-in" },
    });
  if (oauth.email_verified_policy === "ignore")
    found.push({
      code: "edition_email_unverified",
      severity: "warning",
      title: "The proxy accepts unverified e-mail addresses",
      detail:
        "A user who can choose an address at the identity provider can sign in as another user; only administrators need a verified address.",
      remedy: { action: "Set server_edition.oauth.email_verified_policy to refuse_false or require_true" },
    });
  return found;
}

function address({ public_url, session_cookie_secure }: Edition): DoctorFinding[] {
  if (public_url === undefined)
    return [
      {
        code: "edition_no_public_url",
        severity: "warning",
        title: "The proxy takes its public address from each request",
        detail:
          "The callback registered at the identity provider and the Secure attribute of cookies then depend on headers.",
        remedy: { action: "Set server_edition.public_url to the origin that is registered at the identity provider" },
      },
    ];
  const { protocol, hostname } = new URL(public_url);
  const plain = protocol === "http:" || session_cookie_secure === "false";
  if (!plain || isLoopback(hostname.replace(/^\[|\]$/g, ""))) return [];
  return [
    {
      code: "edition_cookie_plain",
      severity: "error",
      title: "Sign-ins are unencrypted",
      detail: "The session cookie has no Secure attribute; a person who intercepts it is signed in.",
      remedy: { action: "Serve the proxy over https and set server_edition.public_url accordingly" },
    },
  ];
}

function grants({ config }: App, { access }: Edition): DoctorFinding[] {
  if (!access) return [];
  const serverNames = new Set(["*", ...config.current().mcpServers.map(({ name }) => name)]);
  const named = [...access.default_servers, ...Object.values(access.group_servers).flat()];
  const gone = [...new Set(named)].filter((name) => !serverNames.has(name));
  if (gone.length === 0) return [];
  return [
    {
      code: "access_unknown_servers",
      severity: "info",
      title: `server_edition.access names servers that are not configured: ${gone.join(", ")}`,
      detail: "If a server with such a name is added later, these groups can use it.",
      remedy: { action: "Remove these names from server_edition.access" },
    },
  ];
}
