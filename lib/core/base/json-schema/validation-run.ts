/** One way in which a value does not match its schema. */
export interface SchemaProblem {
  /** The keys and indexes that lead from the root to the invalid value. */
  readonly path: readonly (string | number)[];
  /** What was expected. The message never quotes the value, which may be a secret. */
  readonly message: string;
  readonly keyword: string;
  /** The schema that the value violates. */
  readonly schema: unknown;
}

/** Work budget of one validation. A step is about as much work as a comparison: 25 ns on a slow core, so 5 ms in all. */
const MAX_STEPS = 200_000;
/** What these cost in steps, as measured: entering a subschema, a check whose problems are discarded, a problem. */
const ENTER_STEPS = 3;
const EVALUATE_STEPS = 8;
const PROBLEM_STEPS = 20;
/** Deepest nesting of schemas within schemas, references included. */
const MAX_DEPTH = 200;
const MAX_PROBLEMS = 20;

/** Thrown if a validation exceeds its budget. It is then unknown whether the value is valid. */
export class ValidationUnfinished extends Error {}

/** The state of one validation: the current path, the problems found, and the remaining work budget. */
export class ValidationRun {
  readonly path: (string | number)[] = [];
  problems: SchemaProblem[] = [];
  /** True if problems are not recorded: within `anyOf`, `not`, `if` and similar keywords, and once there are enough. */
  quiet = false;
  /** True if something that could not be checked was assumed valid; `not`, `oneOf` and `if` cannot rely on it. */
  unsure = false;
  /** The first reason for `unsure`. */
  reason: string | undefined;
  private steps = MAX_STEPS;
  private depth = 0;

  /** Reduces the work budget. @throws ValidationUnfinished if it is used up */
  spend(steps: number): void {
    this.steps -= steps;
    if (this.steps < 0) throw new ValidationUnfinished("validating it would take too long");
  }

  /** Enters a subschema, which counts towards the nesting. @throws ValidationUnfinished if a limit is reached */
  enter(): void {
    this.spend(ENTER_STEPS);
    if (++this.depth > MAX_DEPTH) throw new ValidationUnfinished("its schema refers to itself, or is nested too deep");
  }

  leave(): void {
    this.depth--;
  }

  /** Records a problem. Always returns false, so that a check can return it. */
  fail(keyword: string, message: string, schema: unknown, at?: string | number): false {
    if (this.quiet) return false;
    this.spend(PROBLEM_STEPS + this.path.length);
    const path = at === undefined ? [...this.path] : [...this.path, at];
    this.problems.push({ path, message, keyword, schema });
    if (this.problems.length >= MAX_PROBLEMS) this.quiet = true;
    return false;
  }

  /** Records that something could not be checked. Always returns true, so that a check can return it. */
  assume(reason: string): true {
    this.unsure = true;
    this.reason ??= reason;
    return true;
  }

  /** Runs a check whose problems are discarded. */
  evaluate(check: () => boolean): { valid: boolean; unsure: boolean } {
    this.spend(EVALUATE_STEPS);
    const { quiet, unsure } = this;
    this.quiet = true;
    this.unsure = false;
    const valid = check();
    const answer = { valid, unsure: this.unsure };
    this.quiet = quiet;
    this.unsure ||= unsure;
    return answer;
  }

  /** Runs a check and returns its problems without recording them. */
  collect(check: () => boolean): SchemaProblem[] {
    this.spend(PROBLEM_STEPS);
    const { problems, quiet } = this;
    this.problems = [];
    check();
    const found = this.problems;
    this.problems = problems;
    this.quiet = quiet;
    return found;
  }
}
