import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault } from "#lib/core/base/fault.ts";
import type { Edition } from "#lib/modules/team/edition.ts";
import { identityOf } from "#lib/modules/team/identity.ts";
import { isAppointed } from "#lib/modules/team/scope.ts";

const POLICIES = ["refuse_false", "require_true", "ignore"] as const;
type Policy = (typeof POLICIES)[number];
const edition = (email_verified_policy: Policy) =>
  ({ oauth: { email_verified_policy, groups_claim: "groups" } }) as unknown as Edition;
const claims = (over: Record<string, unknown>) => ({ sub: "u1", email: "carol@example.com", ...over });

function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.equal((error as Fault).code, "sign_in_denied");
    return (error as Fault).message;
  }
  return "";
}

test("an address makes an administrator only where the provider calls it verified, whatever the policy for users is", () => {
  const rows: [
    email_verified: unknown,
    refuseFalse: boolean | "denied",
    requireTrue: boolean | "denied",
    ignore: boolean,
  ][] = [
    [true, true, true, true],
    ["true", true, true, true],
    [undefined, false, "denied", false],
    [null, "denied", "denied", false],
    [false, "denied", "denied", false],
    ["yes", "denied", "denied", false],
    [1, "denied", "denied", false],
  ];
  for (const [email_verified, ...expected] of rows)
    for (const [i, policy] of POLICIES.entries()) {
      const what = `${policy} ${JSON.stringify(email_verified)}`;
      const read = () => identityOf(edition(policy), claims(email_verified === undefined ? {} : { email_verified }));
      if (expected[i] === "denied") assert.match(reasonOf(read), /verified/, what);
      else assert.equal(isAppointed(["carol@example.com"], read()), expected[i], what);
    }
});

test("the mark of verification counts for the address it was given for", () => {
  const { verified, email } = identityOf(
    edition("ignore"),
    { sub: "u1", email_verified: true },
    { email: "carol@example.com" },
  );
  assert.deepEqual([email, verified], ["carol@example.com", false]);
});

test("an address that could be read as another is refused, and says why", () => {
  const rows: [what: string, email: string, reason: RegExp][] = [
    ["KELVIN SIGN for k", "\u212aate@example.com", /NFKC/],
    ["full width", "\uff43arol@example.com", /NFKC/],
    ["ligature", "o\ufb03ce@example.com", /NFKC/],
    ["decomposed", "rene\u0301@example.com", /NFKC/],
    ["NUL", "carol\u0000@example.com", /control/],
    ["DEL", "carol\u007f@example.com", /control/],
    ["C1", "carol\u0085@example.com", /control|white space/],
    ["zero width", "car\u200bol@example.com", /control|invisible/],
    ["bidi", "\u202ecarol@example.com", /control|invisible/],
    ["half a character", "carol\ud800@example.com", /control|invisible/],
    ["space", "carol @example.com", /white space/],
    ["line end", "carol@example.com\n", /white space/],
    ["no-break space", "carol\u00a0@example.com", /white space|NFKC/],
    ["two addresses", "carol@example.com@evil.example", /no e-mail address/],
    ["too long", `${"c".repeat(254 - 11)}@example.com`, /longer than 254/],
    ["empty", "", /no e-mail address/],
  ];
  for (const [what, email, reason] of rows)
    assert.match(
      reasonOf(() => identityOf(edition("refuse_false"), claims({ email, email_verified: true }))),
      reason,
      what,
    );
});

test("case is folded for the letters of ASCII alone, in addresses and in the list of administrators", () => {
  const rows: [said: string, kept: string, admins: string[], admin: boolean][] = [
    ["Carol@Example.COM", "carol@example.com", [" CAROL@example.com "], true],
    ["ÉMILE@example.com", "Émile@example.com", ["émile@example.com"], false],
    ["émile@example.com", "émile@example.com", ["émile@example.com"], true],
    ["kate@example.com", "kate@example.com", ["\u212aate@example.com"], false],
    [`${"c".repeat(254 - 12)}@example.com`, `${"c".repeat(254 - 12)}@example.com`, [], false],
  ];
  for (const [email, kept, admins, admin] of rows) {
    const identity = identityOf(edition("refuse_false"), claims({ email, email_verified: true }));
    assert.equal(identity.email, kept);
    assert.equal(isAppointed(admins, identity), admin, email);
  }
});
