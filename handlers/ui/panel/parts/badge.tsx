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

/** A state in words, with a shape and a colour of its own: none of the three is needed to read it. */
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`}>
      <Icon name={ICONS[tone]} size={12} />
      <span>{children}</span>
    </span>
  );
}

/** A word that sorts things without judging them: a protocol, a kind. */
export function Tag({ children }: { children: ComponentChildren }) {
  return <span class="tag">{children}</span>;
}
