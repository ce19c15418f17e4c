import { createContext } from "preact";
import type { Schema } from "./schema.ts";

/** The common props of form fields. */
interface Shared {
  /** The schema that references point into. */
  root: Schema;
  /** Current depth. */
  depth: number;
  /** The label of a member. */
  labelOf(name: string): string;
  /** What an omitted member means, in a list of options. */
  omitted: string;
  /** The same in an empty field without an example. */
  placeholder: string;
}

export const Root = createContext<Shared>({
  root: {},
  depth: 0,
  labelOf: (name) => name,
  omitted: "not given",
  placeholder: "",
});

export interface MemberProps {
  name: string;
  label: string;
  schema: Schema;
  required: boolean;
  value: unknown;
  error: string | undefined;
  /** Undefined omits the member. */
  onValue(value: unknown): void;
}

/** With the hint below the field. */
export type KindProps = MemberProps & { hint: string | undefined };
