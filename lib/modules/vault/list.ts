import type { InferOutput } from "valibot";
import type { App } from "../../core/app.ts";
import { rfc3339 } from "../../core/base/clock.ts";
import { Fault } from "../../core/base/fault.ts";
import type { ReferenceShape, SecretShape } from "../../core/schema/secret-shapes.ts";
import type { SecretEntry } from "../../core/secrets/secrets.ts";
import { type Reference, references, usesOf } from "./uses.ts";

/** The record of a stored secret, without its value (spec 000 §4.6). */
export type SecretRecord = InferOutput<typeof SecretShape>;

/** A reference in the configuration, and whether it has a value. */
type ReferenceRecord = InferOutput<typeof ReferenceShape>;

interface SecretList {
  secrets: SecretRecord[];
  total: number;
  /** All references in the configuration. */
  references: ReferenceRecord[];
  /** References without a value. */
  missing: string[];
  backend: { kind: "keyring" | "file"; reason?: string };
}

/** Stored secrets by name, and the references in the configuration (spec 000 §4.6). */
export async function listSecrets(app: App): Promise<SecretList> {
  const secrets = (await app.secrets.entries()).map((entry) => secretRecord(app, entry));
  const needed = await Promise.all(references(app).map((reference) => checked(app, reference)));
  const { kind, reason } = await app.secrets.confirmedBackend();
  return {
    secrets,
    total: secrets.length,
    references: needed,
    missing: needed.filter(({ is_set }) => !is_set).map(({ reference }) => reference),
    backend: { kind, ...(reason !== undefined && { reason }) },
  };
}

/** The record of one secret. @throws Fault no_such_record */
export async function findSecret(app: App, name: string): Promise<SecretRecord> {
  const entry = (await app.secrets.entries()).find((secret) => secret.name === name);
  if (!entry) throw new Fault("no_such_record", { what: "secret", id: name });
  return secretRecord(app, entry);
}

/** The references without a value. */
export async function missing(app: App): Promise<Reference[]> {
  const all = await Promise.all(references(app).map(async (one) => ({ one, set: (await checked(app, one)).is_set })));
  return all.filter(({ set }) => !set).map(({ one }) => one);
}

function secretRecord(app: App, { name, backend, updatedAt }: SecretEntry): SecretRecord {
  return {
    name,
    reference: `\${keyring:${name}}`,
    backend,
    ...(updatedAt !== undefined && { updated_at: rfc3339(updatedAt) }),
    used_by: usesOf(app, name),
  };
}

async function checked(app: App, { text, kind, name, uses }: Reference): Promise<ReferenceRecord> {
  const is_set = await app.secrets.resolve(text).then(
    () => true,
    () => false,
  );
  return { reference: text, type: kind, name, is_set, used_by: uses };
}
