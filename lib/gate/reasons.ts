/** The closed table of failure reasons, in precedence order (spec 000 §2.6). */
export type Reason =
  | "server_not_configured"
  | "server_not_in_scope"
  | "server_quarantined"
  | "server_disabled"
  | "not_found"
  | "tool_denied_by_config"
  | "tool_blocked_by_user"
  | "tool_changed"
  | "tool_pending_approval"
  | "hash_mismatch"
  | "oauth_required"
  | "server_unhealthy"
  | "server_initializing"
  | "missing_annotation"
  | "policy_filtered";
