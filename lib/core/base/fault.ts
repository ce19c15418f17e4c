import { CORE_FAULTS, type FaultTable } from "./core-faults.ts";

type CoreFaults = typeof CORE_FAULTS;

/** Every fault of the program: `lib/modules/modules.gen.ts` merges those of the modules into this type. */
export interface Faults extends CoreFaults {}

/** The faults of the core, and of each module whose `faults.ts` is loaded. */
export const FAULTS = { ...CORE_FAULTS } as unknown as Faults;

/**
 * Adds the faults of a module, sorted by code. The files of a module import `Fault` from the module's `faults.ts`, so
 * that its faults are defined before one is thrown.
 */
export function defineFaults<T extends FaultTable>(faults: T): T {
  Object.assign(FAULTS, faults);
  return faults;
}

export type FaultCode = keyof Faults;
type Facts<C extends FaultCode> = Parameters<Faults[C]["text"]> extends [infer P] ? P : undefined;

/**
 * A failure that a user can act on. Anything else that is thrown is a defect of this program.
 *
 * Code anywhere throws `new Fault("server_not_found", { server })`; each surface (REST, MCP, CLI) renders it once.
 */
export class Fault<C extends FaultCode = FaultCode> extends Error {
  override readonly name = "Fault";
  readonly code: C;
  readonly status: number;
  readonly facts: Record<string, unknown>;

  constructor(
    code: C,
    ...[facts, options]: Facts<C> extends undefined ? [undefined?, ErrorOptions?] : [Facts<C>, ErrorOptions?]
  ) {
    const { status, text } = FAULTS[code];
    super((text as (p: unknown) => string)(facts), options);
    this.code = code;
    this.status = status;
    this.facts = { ...(facts as object | undefined) };
  }
}

/** Returns the message of anything thrown, for logs and other messages. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
