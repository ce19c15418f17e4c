import { sameJson } from "../../core/base/json-object.ts";
import type { Credentials } from "./credentials.ts";

export interface KeptCredentialsOptions {
  read(): Promise<Credentials | undefined>;
  /** Stores the credentials; durable when the promise resolves. */
  write(next: Credentials | undefined): Promise<void>;
  /** Whether other replicas change the stored credentials too, so that each change reads them again. */
  readonly isShared?: boolean;
  /** Called when the credentials in memory change. */
  moved(): void;
  /** Called when they change for another reason than the first read. */
  changed(): void;
}

/** One owner's credentials at one server, in memory and at rest. */
export interface KeptCredentials {
  /** Reads the stored credentials, once. @throws if they cannot be decrypted */
  read(): Promise<Credentials | undefined>;
  /** Reads the stored credentials again, because another replica may have changed them. */
  reload(): Promise<void>;
  /** Changes the credentials, serially; the change applies when it is durable. */
  change(edit: (now: Credentials) => Credentials | undefined): Promise<Credentials>;
  /** Treats credentials that cannot be decrypted as absent; the next change replaces them. */
  discard(): void;
  /** The credentials in memory; undefined if none are stored or they were not read yet. */
  now(): Credentials | undefined;
  isRead(): boolean;
  /** Whether storing the last change failed. */
  isUnsaved(): boolean;
  /** Sets the credentials in memory immediately, before the change that stores them. */
  foresee(next: Credentials): void;
}

export function createKeptCredentials(options: KeptCredentialsOptions): KeptCredentials {
  let record: Credentials | undefined;
  let reading: Promise<void> | undefined;
  let isRead = false;
  let isDiscarded = false;
  let unsaved: Credentials | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const read = async () => {
    reading ??= options.read().then(
      (found) => {
        record = found;
        isRead = true;
        options.moved();
      },
      (error: unknown) => {
        reading = undefined;
        throw error;
      },
    );
    await reading;
    return record;
  };
  const newest = async () => (options.isShared && !isDiscarded ? await options.read() : await read());
  const put = async (next: Credentials | undefined) => {
    // A renewed token exists only here: if storing it fails, it is stored before any other change.
    unsaved = next ?? {};
    await options.write(next);
    unsaved = undefined;
    isRead = true;
    isDiscarded = false;
    record = next;
    options.moved();
    options.changed();
  };

  return {
    read,
    reload() {
      const done = turn.then(async () => {
        if (!isRead || unsaved !== undefined) return;
        const found = await options.read();
        if (sameJson(found, record)) return;
        record = found;
        options.moved();
        options.changed();
      });
      turn = done.catch(() => undefined);
      return done;
    },
    change(edit) {
      const done = turn.then(async () => {
        const next = edit(unsaved ?? (await newest()) ?? {});
        await put(next);
        return next ?? {};
      });
      turn = done.catch(() => undefined);
      return done;
    },
    discard() {
      if (isRead) return;
      reading = Promise.resolve();
      isRead = true;
      isDiscarded = true;
    },
    now: () => record,
    isRead: () => isRead,
    isUnsaved: () => unsaved !== undefined,
    foresee(next) {
      record = next;
    },
  };
}
