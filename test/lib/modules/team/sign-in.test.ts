import assert from "node:assert/strict";
import { team } from "#test/kit/team.ts";
import { verifies } from "#test/kit/verifies.ts";

verifies(
  [
    "edition.oidc",
    "edition.enabled",
    "edition.auth-login",
    "edition.auth-callback",
    "edition.auth-provider",
    "edition.display-name",
  ],
  "a person signs in at a real provider, is known by a cookie, and signs out",
  async (t) => {
    const { browser, url } = await team(t, { edition: { oauth: { display_name: "Example ID" } } });
    const alice = browser();
    assert.equal((await alice.go("/api/v1/auth/provider")).body.display_name, "Example ID");
    assert.equal((await alice.go("/api/v1/auth/me")).status, 401);

    const page = await alice.signIn("alice", "/api/v1/auth/login?redirect_uri=/ui/servers?x=1%23top");

    assert.equal(page.headers.get("location"), "/ui/servers?x=1#top");
    const set = page.headers.getSetCookie().find((line) => line.startsWith("proxy_session"))!;
    assert.match(set, /; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/);
    const { body } = await alice.go("/api/v1/auth/me");
    assert.deepEqual(
      { ...body.data, id: "" },
      { id: "", email: "alice@example.com", display_name: "Alice Adams", role: "user", provider: "oidc" },
    );
    assert.equal(body.email, "alice@example.com");
    assert.equal((await alice.send("POST", `${url}/api/v1/auth/logout`)).body.status, "logged_out");
    assert.equal((await alice.go("/api/v1/auth/me")).status, 401);
  },
);
