import type { Credentials } from "./credentials.ts";

export interface KeptCredentialsOptions {
  read(): Promise<Credentials | undefined>;
  /** Durable when it resolves. */
  write(next: Credentials | undefined): Promise<void>;
  /** What is in memory became another. */
  moved(): void;
  /** The same, and it was not there before this program began. */
  changed(): void;
}

/** One owner's credentials at one server, in memory and at rest. */
export interface KeptCredentials {
  /** Read once. @throws what is kept cannot be opened */
  read(): Promise<Credentials | undefined>;
  /** Changes them, one change after the other; in force when it is durable. */
  change(edit: (now: Credentials) => Credentials | undefined): Promise<Credentials>;
  /** What cannot be opened counts as nothing from now on, and the next change replaces it. */
  discard(): void;
  /** In memory; undefined where nothing is kept, or was read yet. */
  now(): Credentials | undefined;
  isRead(): boolean;
  /** Whether the disk refused the last change. */
  isUnsaved(): boolean;
  /** Is in memory at once, ahead of the change that makes it so. */
  foresee(next: Credentials): void;
}

export function createKeptCredentials(options: KeptCredentialsOptions): KeptCredentials {
  let record: Credentials | undefined;
  let reading: Promise<void> | undefined;
  let isRead = false;
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
  const put = async (next: Credentials | undefined) => {
    // A renewed token exists once: should the disk refuse it now, it is written before anything else happens.
    unsaved = next ?? {};
    await options.write(next);
    unsaved = undefined;
    record = next;
    options.moved();
    options.changed();
  };

  return {
    read,
    change(edit) {
      const done = turn.then(async () => {
        const next = edit(unsaved ?? (await read()) ?? {});
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
    },
    now: () => record,
    isRead: () => isRead,
    isUnsaved: () => unsaved !== undefined,
    foresee(next) {
      record = next;
    },
  };
}
