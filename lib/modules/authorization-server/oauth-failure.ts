import * as v from "valibot";
import type { FailureForm } from "../../core/api/failure-form.ts";

/** An error of OAuth (RFC 6749 §5.2, RFC 7591 §3.2.2). */
const OAuthError = v.looseObject({
  error: v.pipe(v.string(), v.description("error code of OAuth")),
  error_description: v.optional(v.pipe(v.string(), v.description("the error and its remedy, for people"))),
});

/** Errors at the token endpoint (RFC 6749 §5.2, RFC 8707 §2). */
const TOKEN_ERRORS = {
  400: {
    invalid_grant: "the code or the refresh token is not valid, or was issued to another client",
    invalid_request: "the request is incomplete, or contains a parameter twice",
    invalid_scope: "the scope is not valid",
    invalid_target: "the resource is not one of this proxy",
    unauthorized_client: "the client may not use this grant",
    unsupported_grant_type: "the proxy does not support this grant",
  },
  401: { invalid_client: "the client is not known, or did not authenticate" },
} as const;

/** Errors at the revocation (RFC 7009 §2.2.1). */
const REVOCATION_ERRORS = {
  400: { invalid_request: TOKEN_ERRORS[400].invalid_request },
  401: TOKEN_ERRORS[401],
} as const;

/** Errors at the registration (RFC 7591 §3.2.2). */
const REGISTRATION_ERRORS = {
  400: {
    invalid_client_metadata: "the metadata of the client is not valid",
    invalid_redirect_uri: "a redirect URI is not valid",
  },
} as const;

export const tokenFailure: FailureForm = oauthFailure("invalid_request", TOKEN_ERRORS);
export const revocationFailure: FailureForm = oauthFailure("invalid_request", REVOCATION_ERRORS);
export const registrationFailure: FailureForm = oauthFailure("invalid_client_metadata", REGISTRATION_ERRORS);

/** @param invalid the error code for a request that is not well-formed */
function oauthFailure(invalid: string, others: NonNullable<FailureForm["others"]>): FailureForm {
  return {
    schema: OAuthError,
    others,
    report: ({ status, message }) => ({
      // OAuth reports a body of another type like any other invalid request, with status 400.
      status: status === 415 ? 400 : status,
      body: { error: errorOf(status, invalid), error_description: describable(message) },
    }),
  };
}

/** Returns the error code for a status; those of RFC 6749 §4.1.2.1 say what has no code at the token endpoint. */
function errorOf(status: number, invalid: string): string {
  if (status === 403 || status === 404) return "access_denied";
  if (status === 429 || status === 503) return "temporarily_unavailable";
  return status >= 500 ? "server_error" : invalid;
}

/** Replaces the characters that an error description may not contain (RFC 6749 §5.2). */
const describable = (text: string) => text.replaceAll('"', "'").replace(/[^\x20-\x7e]|\\/g, "?");
