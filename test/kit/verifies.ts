import { type TestContext, test } from "node:test";
import type { RequirementId } from "#test/spec/requirements.ts";

/**
 * A test that proves promises of the specification, cited by id; a misspelt id does not compile.
 *
 * `npm run spec` reads these calls from the test files, so the ids are written out at the call.
 */
export function verifies(
  ids: RequirementId | readonly RequirementId[],
  title: string,
  body: (t: TestContext) => unknown,
): void {
  test(`${title} [${[ids].flat().join(", ")}]`, async (t) => void (await body(t)));
}
