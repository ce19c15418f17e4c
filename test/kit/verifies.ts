import { type TestContext, test } from "node:test";
import type { RequirementId } from "#test/spec/requirements.ts";

/**
 * Declares a test that verifies statements of the specification, cited by ID; a misspelt ID does not compile.
 *
 * `npm run spec` reads these calls from the test files, so the IDs must be literals in the call.
 */
export function verifies(
  ids: RequirementId | readonly RequirementId[],
  title: string,
  body: (t: TestContext) => unknown,
): void {
  test(`${title} [${[ids].flat().join(", ")}]`, async (t) => void (await body(t)));
}
