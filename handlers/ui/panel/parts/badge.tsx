import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

export type Tone = "ok" | "warn" | "bad" | "off" | "wait" | "info";

const ICONS: Record<Tone, IconName> = {
  ok: "check",
  warn: "warn",
  bad: "bad",
  off: "off",
  wait: "wait",
  info: "about",
};

/** A state as text with a shape and a colour, so that it is readable without seeing both. */
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`}>
      <Icon name={ICONS[tone]} size={12} />
      <span>{children}</span>
    </span>
  );
}

/** A neutral classification, such as a protocol or a kind. */
export function Tag({ children }: { children: ComponentChildren }) {
  return <span class="tag">{children}</span>;
}
