/** What a person can be notified of. */
export const NOTICE_KINDS = ["approval", "server", "limit", "security", "expiry"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** From the least to the most urgent. */
export const NOTICE_SEVERITIES = ["info", "warning", "critical"] as const;
export type NoticeSeverity = (typeof NOTICE_SEVERITIES)[number];

/** One thing that a person is notified of. */
export interface Notice {
  /** Notices with the same key are about the same thing. */
  readonly key: string;
  readonly kind: NoticeKind;
  readonly severity: NoticeSeverity;
  readonly title: string;
  readonly text: string;
  /** Path of the page of the panel that shows it, below `/ui`. */
  readonly path: string;
  readonly at: number;
  /** How often it happened since the last notification of it. */
  readonly count: number;
}
