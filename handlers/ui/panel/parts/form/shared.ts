import { createContext } from "preact";
import type { Schema } from "./schema.ts";

/** What the fields of a form have in common. */
interface Shared {
  /** The schema that references lead into. */
  root: Schema;
  /** How far down in it. */
  depth: number;
  /** What a member is called. */
  labelOf(name: string): string;
}

export const Root = createContext<Shared>({ root: {}, depth: 0, labelOf: (name) => name });

export interface MemberProps {
  name: string;
  label: string;
  schema: Schema;
  required: boolean;
  value: unknown;
  error: string | undefined;
  /** Undefined leaves it out. */
  onValue(value: unknown): void;
}

/** With the hint that stands below it. */
export type KindProps = MemberProps & { hint: string | undefined };
