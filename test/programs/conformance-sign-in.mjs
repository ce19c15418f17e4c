// @ts-check
/**
 * Lets a running proxy act as the client for the official conformance suite: `node
 * test/programs/conformance-sign-in.mjs PROXY_URL API_KEY SERVER_URL` connects the proxy to the suite's server, signs
 * in as a person with a browser would, and calls every tool; if a call requires more scopes, it signs in again.
 */
const [proxy = "", key = "", url = ""] = process.argv.slice(2);
const name = new URL(url).port;
const { client_id, client_secret, private_key_pem } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const isMachine = (process.env.MCP_CONFORMANCE_SCENARIO ?? "").startsWith("auth/client-credentials");

/** @param {string} method @param {string} path @param {object} [body] @returns {Promise<any>} */
async function api(method, path, body) {
  const answer = await fetch(`${proxy}/api/v1/${path}`, {
    method,
    headers: { "x-api-key": key, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return await answer.json();
}

async function record() {
  const { data } = await api("GET", "servers");
  return data.servers.find((/** @type {any} */ server) => server.name === name);
}

/** @param {(server: any) => boolean} fits */
async function until(fits) {
  for (let left = 200; left > 0; left--) {
    if (fits(await record())) return true;
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}

/** Follows the redirects of a sign-in until they end at the proxy's own page. */
async function signIn() {
  const { success, error, data } = await api("POST", `servers/${name}/login`);
  if (!success) throw new Error(error);
  for (let at = data.auth_url, hops = 0; hops < 10; hops++) {
    const answer = await fetch(at, { redirect: "manual" });
    const to = answer.headers.get("location");
    if (to === null) return;
    at = new URL(to, at).href;
  }
}

const oauth = client_id && {
  ...(isMachine && { grant: "client_credentials" }),
  client_id,
  ...(client_secret && { client_secret }),
  ...(private_key_pem && { private_key: private_key_pem }),
};
await api("POST", "servers", {
  name,
  url,
  quarantined: false,
  auto_approve_tool_changes: true,
  ...(oauth && { oauth }),
});
const isThere = (/** @type {any} */ server) => server.connected && server.tool_count > 0;
await until((server) => isThere(server) || server.health.action === "login");
// A server may change its authorization server immediately and require another sign-in.
for (let times = 0; times < 2 && !isThere(await record()); times++) {
  await signIn();
  await until((server) => isThere(server) || server.health.action === "login");
}
if (!(await until(isThere))) throw new Error(JSON.stringify((await record()).health));
const { data } = await api("GET", `servers/${name}/tools`);
for (const tool of data.tools) {
  const call = () => api("POST", "tools/call", { tool_name: `${name}:${tool.name}`, arguments: {} });
  const { success } = await call();
  if (success || (await record()).health.action !== "login") continue;
  await signIn();
  await call();
}
await api("DELETE", `servers/${name}`);
