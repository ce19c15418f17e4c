import type { ComponentChildren } from "preact";

/** A description of the schema, in which words between back-ticks are code. */
export function withCode(text: string): ComponentChildren {
  const parts = text.split(/`([^`]+)`/);
  // Every second part stood between back-ticks.
  return parts.length === 1 ? text : parts.map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}
