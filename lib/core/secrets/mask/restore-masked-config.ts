import { Fault } from "../../base/fault.ts";
import { maskConfig } from "./config.ts";
import { containsMask } from "./mask.ts";
import { rejectMasked, restoreMasked } from "./restore-masked.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Replaces the masks in a configuration, or in a patch of one, by the stored secrets (spec 000 §2.9 rules 6 and 7).
 * Servers are compared with the stored server of the same name, by the rules for servers. Outside of servers a mask is
 * replaced only where its position shows which secret it stands for: in `api_key`, the members of
 * `environment.custom_vars`, and in `server_edition` the encryption key and, if the issuer is unchanged, the client
 * secret. Any other mask is rejected.
 *
 * @param stored the checked configuration that is being changed
 * @throws Fault echoed_mask that names the field
 */
export function restoreMaskedConfig<T extends Json>(stored: Json, said: T): T {
  const { mcpServers: _, ...settings } = stored;
  const masked = maskConfig(settings);
  const reverted = Object.entries(said).map(([key, value]) => {
    const own = { stored: stored[key], shown: masked[key] };
    if (key === "mcpServers" && Array.isArray(value)) return [key, revertServers(stored.mcpServers, value)];
    if (key === "api_key") return [key, revert(own, value)];
    if (key === "environment") return [key, within(own, value, ["custom_vars"], revertMembers)];
    if (key === "server_edition") return [key, revertEdition(own, value)];
    return [key, value];
  });
  const result = Object.fromEntries(reverted) as T;
  rejectMasked(result);
  return result;
}

function revertServers(stored: unknown, said: readonly unknown[]): unknown[] {
  const records = Array.isArray(stored) ? stored.filter(isRecord) : [];
  return said.map((server, index) => {
    if (!isRecord(server)) return server;
    const record = records.find(({ name }) => name === server.name);
    try {
      if (record) return restoreMasked(record, server);
      rejectMasked(server);
      return server;
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "echoed_mask") throw error;
      throw new Fault("echoed_mask", { field: `mcpServers[${index}].${error.facts.field}` });
    }
  });
}

function revertEdition(own: Own, said: unknown): unknown {
  const edition = within(own, said, ["credential_encryption_key"], revert);
  return within(own, edition, ["oauth"], (oauth, value) => {
    const moved = isRecord(value) && "issuer_url" in value && value.issuer_url !== get(oauth.stored, "issuer_url");
    return moved ? value : within(oauth, value, ["client_secret", "private_key"], revert);
  });
}

interface Own {
  readonly stored: unknown;
  readonly shown: unknown;
}

/** Restores some members of an object; returns any other value unchanged. */
function within(own: Own, said: unknown, members: readonly string[], turn: (own: Own, said: unknown) => unknown) {
  if (!isRecord(said)) return said;
  const entries = Object.entries(said).map(([key, value]) => {
    const member = { stored: get(own.stored, key), shown: get(own.shown, key) };
    return [key, members.includes(key) ? turn(member, value) : value];
  });
  return Object.fromEntries(entries);
}

function revertMembers(own: Own, said: unknown): unknown {
  return isRecord(said) ? within(own, said, Object.keys(said), revert) : said;
}

/** Returns the stored value if the received value is exactly its mask. */
function revert({ stored, shown }: Own, said: unknown): unknown {
  return typeof said === "string" && said === shown && containsMask(said) ? stored : said;
}

function get(record: unknown, key: string): unknown {
  return isRecord(record) && Object.hasOwn(record, key) ? record[key] : undefined;
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
