import type { LoginDiagnostics } from "../../core/schema/login.ts";

/** @param serverUrl shown without its query, which can contain credentials */
export function diagnostics(serverUrl: string): LoginDiagnostics {
  return {
    server_url: serverUrl,
    metadata: {
      protected_resource: { found: false, urls_checked: [] },
      authorization_server: { found: false, urls_checked: [] },
    },
    dcr: { attempted: false, success: false },
  };
}
