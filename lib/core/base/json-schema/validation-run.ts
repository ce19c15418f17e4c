/** One way in which a value does not match its schema. */
export interface SchemaProblem {
  /** Members and indexes that lead from the whole value to the wrong one. */
  readonly path: readonly (string | number)[];
  /** What was expected; it never quotes the value, which may be a secret. */
  readonly message: string;
  readonly keyword: string;
  /** Schema of the wrong value. */
  readonly schema: unknown;
}

/** Work of one validation, in visited values and comparisons: 5 ms at most. */
const MAX_STEPS = 200_000;
/** Deepest nesting of schemas within schemas, references included. */
const MAX_DEPTH = 200;
const MAX_PROBLEMS = 20;

/** Thrown where a validation would take more than it may; the value is neither valid nor invalid then. */
export class ValidationUnfinished extends Error {}

/** State of one validation: where it is, what it found, and how much work is left. */
export class ValidationRun {
  readonly path: (string | number)[] = [];
  problems: SchemaProblem[] = [];
  /** Only yes or no is wanted: within `anyOf`, `not`, `if` and the like, and once there are problems enough. */
  quiet = false;
  /** Something was taken for valid because it could not be checked; `not`, `oneOfWords` and `if` cannot build on it. */
  unsure = false;
  /** Why, the first time. */
  reason: string | undefined;
  private steps = MAX_STEPS;
  private depth = 0;

  /** @throws Unfinished */
  spend(steps: number): void {
    this.steps -= steps;
    if (this.steps < 0) throw new ValidationUnfinished("checking it would take too long");
  }

  /** @throws Unfinished */
  enter(): void {
    this.spend(1);
    if (++this.depth > MAX_DEPTH) throw new ValidationUnfinished("its schema refers to itself, or is nested too deep");
  }

  leave(): void {
    this.depth--;
  }

  /** Always false, for a check to answer. */
  fail(keyword: string, message: string, schema: unknown, at?: string | number): false {
    if (this.quiet) return false;
    const path = at === undefined ? [...this.path] : [...this.path, at];
    this.problems.push({ path, message, keyword, schema });
    if (this.problems.length >= MAX_PROBLEMS) this.quiet = true;
    return false;
  }

  /** Always true, for a check to answer. */
  assume(reason: string): true {
    this.unsure = true;
    this.reason ??= reason;
    return true;
  }

  /** Runs a check whose outcome alone counts. */
  evaluate(check: () => boolean): { valid: boolean; unsure: boolean } {
    const { quiet, unsure } = this;
    this.quiet = true;
    this.unsure = false;
    const valid = check();
    const answer = { valid, unsure: this.unsure };
    this.quiet = quiet;
    this.unsure ||= unsure;
    return answer;
  }

  /** The problems of a check that are not yet the value's own. */
  collect(check: () => boolean): SchemaProblem[] {
    const { problems, quiet } = this;
    this.problems = [];
    check();
    const found = this.problems;
    this.problems = problems;
    this.quiet = quiet;
    return found;
  }
}
