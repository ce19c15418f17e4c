import createClient from "openapi-fetch";

export function createProxyClient({ apiKey, baseUrl = "http://127.0.0.1:8080", headers, ...options } = {}) {
  return createClient({
    ...options,
    baseUrl,
    headers: { ...(apiKey !== undefined && { "X-API-Key": apiKey }), ...headers },
  });
}
