import type { ComponentChildren } from "preact";
import { Away } from "../api.ts";
import type { Answer } from "../live.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

/** An empty state: the purpose of this place, and the action to start with. */
export function Empty({
  icon = "overview",
  title,
  children,
  action,
}: {
  icon?: IconName;
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={22} />
      </span>
      <h2>{title}</h2>
      {children && <div class="empty-text">{children}</div>}
      {action && <div class="row">{action}</div>}
    </div>
  );
}

/** A placeholder while loading. */
export function Loading({ lines = 5 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} />
      ))}
    </div>
  );
}

/** An error with the proxy's message, and a retry button. */
export function Failed({ error, retry }: { error: Error; retry?: () => void }) {
  const away = error instanceof Away;
  return (
    <div class="failed" role="alert">
      <Icon name="bad" size={18} />
      <div>
        <strong>{away ? "The proxy does not respond" : "Loading failed"}</strong>
        <p>{away ? "It may be stopped or restarting. This page reloads when the proxy is back." : error.message}</p>
      </div>
      {retry && (
        <Button small icon="refresh" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Renders a response in all of its states; an old response remains visible if a new request fails. */
export function Shown<T>({
  of,
  lines,
  children,
}: {
  of: Answer<T>;
  lines?: number;
  children: (data: T) => ComponentChildren;
}) {
  const { data, error, refresh } = of;
  if (data !== undefined) return <>{children(data)}</>;
  if (error) return <Failed error={error} retry={refresh} />;
  return <Loading {...(lines !== undefined && { lines })} />;
}
