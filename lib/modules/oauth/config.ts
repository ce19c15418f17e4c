import * as v from "valibot";
import { defineConfig, hot } from "../../core/config/config-keys.ts";

const MetadataUrl = v.pipe(
  v.string(),
  v.check(isMetadataUrl, "must be an https URL with a path, without user name, fragment or dot segments"),
);

/** Sign-in at upstream servers. */
export const config = defineConfig(
  {
    oauth_client_metadata_url: [
      v.optional(MetadataUrl),
      hot,
      "https address of a client ID metadata document that describes this proxy; used as its client id at sign-in servers that support such documents, instead of a registration (docs/upstreams.md)",
    ],
  },
  { after: "oauth_expiry_warning_hours" },
);

/** Whether a URL is valid as a client ID (draft-ietf-oauth-client-id-metadata-document). */
function isMetadataUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, username, password, hash, href } = new URL(text);
  return (
    protocol === "https:" && pathname !== "/" && username === "" && password === "" && hash === "" && href === text
  );
}
