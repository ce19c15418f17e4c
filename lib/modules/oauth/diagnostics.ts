/** What was tried to begin a sign-in, for whoever must find out why it failed (spec 000 §7: `details`). */
export interface Diagnostics {
  server_url: string;
  metadata: {
    protected_resource: Look & { authorization_servers?: string[] };
    authorization_server: Look & { issuer?: string };
  };
  /** Dynamic registration of this program as a client. */
  dcr: { attempted: boolean; success: boolean; status_code?: number; error?: string };
}

export interface Look {
  found: boolean;
  urls_checked: string[];
  error?: string;
}

/** @param serverUrl without its query, where credentials may stand */
export function diagnostics(serverUrl: string): Diagnostics {
  return {
    server_url: serverUrl,
    metadata: {
      protected_resource: { found: false, urls_checked: [] },
      authorization_server: { found: false, urls_checked: [] },
    },
    dcr: { attempted: false, success: false },
  };
}
