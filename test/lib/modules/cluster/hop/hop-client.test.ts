import assert from "node:assert/strict";
import { test } from "node:test";
import { OwnerLost } from "#lib/core/upstream/errors.ts";
import { failureCause } from "#lib/core/upstream/failure-cause.ts";
import { type HopIdentity, replicaHost } from "#lib/modules/cluster/hop/hop-authority.ts";
import { createHopClient } from "#lib/modules/cluster/hop/hop-client.ts";
import { openHopServer } from "#lib/modules/cluster/hop/hop-server.ts";
import { type Authority, issueAuthority, issueClient, issueServer, newKey } from "#lib/modules/tls/issue.ts";

const NOW = Date.now();

async function makeAuthority(): Promise<Authority> {
  const key = await newKey();
  return { key, cert: await issueAuthority({ key, names: ["replica.internal"], label: "cluster" }, NOW) };
}

async function identityOf(authority: Authority, id: string): Promise<HopIdentity> {
  const key = await newKey();
  return {
    ca: authority.cert,
    server: { key, cert: await issueServer(authority, { key, names: [replicaHost(id)] }, NOW) },
    client: { key, cert: await issueClient(authority, { key, name: id, days: 1 }, NOW) },
  };
}

test("an address that another replica has taken over is no certificate problem; a foreign authority is one", async (t) => {
  const authority = await makeAuthority();
  const server = await openHopServer({ host: "127.0.0.1", port: 0, identity: await identityOf(authority, "new") });
  t.after(() => server.close());
  const entry = { name: "up", command: "x" } as never;
  const owner = { id: "old", address: `127.0.0.1:${server.port}`, server: entry, token: 1 };
  const failureOf = async (own: HopIdentity): Promise<OwnerLost> => {
    const client = createHopClient(() => own);
    t.after(() => client.close());
    const connecting = client.connect(owner, {} as never, new AbortController().signal);
    return connecting.then(
      () => assert.fail("it connected"),
      (error) => error,
    );
  };

  const lost = await failureOf(await identityOf(authority, "caller"));
  const foreign = await failureOf(await identityOf(await makeAuthority(), "caller"));

  assert.ok(lost instanceof OwnerLost);
  assert.match(lost.message, /^the replica old, which runs it, cannot be used: another replica has its address now$/);
  assert.equal(failureCause(lost), undefined);
  assert.equal(failureCause(foreign), "certificate", foreign.message);
});
