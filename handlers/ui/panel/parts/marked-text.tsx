import type { ComponentChildren } from "preact";

/** Renders a description with words in back-ticks as code. */
export function withCode(text: string): ComponentChildren {
  const parts = text.split(/`([^`]+)`/);
  // Every second part was in back-ticks.
  return parts.length === 1 ? text : parts.map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}
