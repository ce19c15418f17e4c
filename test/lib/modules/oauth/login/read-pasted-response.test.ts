import assert from "node:assert/strict";
import { test } from "node:test";
import { readPastedResponse } from "#lib/modules/oauth/login/read-pasted-response.ts";

const TAKEN: [what: string, text: string][] = [
  ["the whole address", " http://127.0.0.1:8080/oauth/callback?code=c&state=s\n"],
  ["an address without its scheme", "127.0.0.1:8080/oauth/callback?code=c&state=s#x"],
  ["a host's name that looks like a scheme", "localhost:8080/oauth/callback?code=c&state=s"],
  ["what follows the question mark", "?code=c&state=s"],
  ["its parameters", "code=c&state=s"],
];
for (const [what, text] of TAKEN)
  test(`of what a browser ended at, ${what} is enough`, () => {
    const query = readPastedResponse(text);
    assert.deepEqual([query.get("code"), query.get("state")], ["c", "s"]);
  });

test("a refusal is an answer, too", () => {
  assert.equal(readPastedResponse("http://h/cb?error=access_denied&state=s").get("error"), "access_denied");
});

const REFUSED: [what: string, text: string, says: RegExp][] = [
  ["nothing", "  ", /from the address bar of the browser/],
  ["any word", "hello", /not the address at which a sign-in ended/],
  ["a code alone", "c0de", /with code= and state=/],
  ["an address without an answer", "http://127.0.0.1:8080/oauth/callback", /not the address at which a sign-in ended/],
  ["one without a state", "http://127.0.0.1:8080/oauth/callback?code=c", /not the address at which a sign-in ended/],
  [
    "the address to open",
    "https://idp.example/auth?response_type=code&redirect_uri=http%3A%2F%2F127.0.0.1&state=s",
    /open it in a browser, sign in/,
  ],
];
for (const [what, text, says] of REFUSED)
  test(`${what} is refused and uses nothing up`, () => {
    assert.throws(() => readPastedResponse(text), says);
  });
