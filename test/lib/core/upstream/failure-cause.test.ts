import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "#lib/core/base/fault.ts";
import { UpstreamError } from "#lib/core/upstream/errors.ts";
import { failureCause } from "#lib/core/upstream/failure-cause.ts";

test("texts of servers and of the operating system indicate a cause, the first match in order", () => {
  const rows = [
    ["connect EHOSTUNREACH 10.0.0.1:443", "host_unreachable"],
    ["getaddrinfo ENOTFOUND x", "host_not_found"],
    ["connect ECONNREFUSED 127.0.0.1:1", "connection_refused"],
    ["read ECONNRESET", "connection_reset"],
    ["Request TIMEOUT", "connection_timeout"],
    ["unexpected EOF", "connection_closed"],
    ["spawn npx ENOENT", "command_not_found"],
    ["spawn npx EACCES", "command_not_executable"],
    ["authentication failed", "authentication_failed"],
    ["HTTP 403 Forbidden", "forbidden"],
    ["401 Unauthorized", "sign_in_needed"],
    ["oauth flow broke", "sign_in_needed"],
    ["oauth host: connection refused", "connection_refused"],
    ["oauth host: no route", "oauth_error"],
    ["OAuth: resource parameter missing", "oauth_configuration"],
    ["self-signed certificate", "certificate"],
    ["", undefined],
    ["odd", undefined],
  ] as const;

  for (const [text, cause] of rows) assert.equal(failureCause(new UpstreamError(text)), cause, text);
});

test("a cause that the thrower states wins over the words of the message", () => {
  const unknownCommand = new UpstreamError('command "oauth-timeout": not found', { failureCause: "command_not_found" });

  assert.equal(failureCause(unknownCommand), "command_not_found");
  assert.equal(failureCause(new Fault("call_timeout", { id: "oauth", ms: 1 })), "connection_timeout");
});

test("the last output of an ended process is no cause, except that it asks for a sign-in", () => {
  const ended = (output: string) =>
    failureCause(new UpstreamError(`its process exited with code 2: ${output}`, { errorClass: "process_exited" }));

  assert.equal(ended("ENOENT: no such file, stat '/notes'"), undefined);
  assert.equal(ended("401 Unauthorized"), "sign_in_needed");
});
