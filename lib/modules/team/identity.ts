import type { Edition } from "./edition.ts";
import { emailFault, foldEmail } from "./email.ts";
import { Fault } from "./faults.ts";

/** A person's identity according to the provider. */
export interface Identity {
  readonly subject: string;
  /** The email address, with ASCII letters in lower case. */
  readonly email: string;
  /** Whether the provider has verified the address. */
  readonly verified: boolean;
  readonly displayName?: string;
  readonly groups: readonly string[];
}

type Claims = Readonly<Record<string, unknown>>;

const MAX_GROUPS = 1000;
const MAX_TEXT = 320;

/** Whether a claim is missing in the ID token that the userinfo endpoint may provide. */
export function wantsUserinfo({ oauth }: Edition, token: Claims): boolean {
  return typeof token.email !== "string" || (token[oauth.groups_claim] === undefined && !isOverage(oauth, token));
}

/**
 * Reads the configured claims: from the ID token first, then from the userinfo endpoint (reference 12.3).
 *
 * @throws Fault sign_in_denied without an address, with an ambiguous one, or one that `email_verified_policy` rejects
 */
export function identityOf({ oauth }: Edition, token: Claims, userinfo: Claims = {}): Identity {
  // `email_verified` is taken from the same source as the address.
  const source = typeof token.email === "string" ? token : userinfo;
  const { email } = source;
  const fault = typeof email === "string" ? emailFault(email) : undefined;
  if (fault) throw denied(`the e-mail address that the identity provider names ${fault}`);
  if (typeof email !== "string" || !/^[^@]+@[^@]+$/.test(email))
    throw denied("the identity provider returned no e-mail address; check that it supports the scope email");
  const verified = isTrue(source.email_verified) ? true : source.email_verified === undefined ? undefined : false;
  if (oauth.email_verified_policy === "require_true" && verified !== true)
    throw denied("the identity provider does not confirm that the e-mail address is verified");
  if (oauth.email_verified_policy === "refuse_false" && verified === false)
    throw denied("the identity provider reports that the e-mail address is not verified");
  const name = token.name ?? userinfo.name;
  return {
    subject: String(token.sub),
    email: foldEmail(email),
    verified: verified === true,
    ...(typeof name === "string" && name !== "" && { displayName: name.slice(0, MAX_TEXT) }),
    groups: groupsOf(oauth, token, userinfo),
  };
}

function groupsOf(oauth: Edition["oauth"], token: Claims, userinfo: Claims): string[] {
  if (isOverage(oauth, token)) return [];
  const claim = oauth.groups_claim;
  const found = ownClaim(token, claim) ?? ownClaim(userinfo, claim);
  const list = typeof found === "string" ? [found] : Array.isArray(found) ? found : [];
  return [...new Set(list.filter((g) => typeof g === "string" && g !== "" && g.length <= MAX_TEXT))].slice(
    0,
    MAX_GROUPS,
  );
}

/** Some providers replace a long list of groups by a reference; it counts as no groups. */
function isOverage({ groups_claim }: Edition["oauth"], token: Claims): boolean {
  const names = token._claim_names;
  return typeof names === "object" && names !== null && Object.hasOwn(names, groups_claim);
}

function ownClaim(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

/** Some providers send the boolean as text. */
const isTrue = (value: unknown) => value === true || value === "true";

const denied = (reason: string) => new Fault("sign_in_denied", { reason });
