import { sameJson } from "../../core/base/json-object.ts";
import type { Credentials } from "./credentials.ts";

export interface KeptCredentialsOptions {
  read(): Promise<Credentials | undefined>;
  /** Stores the credentials; durable when the promise resolves. */
  write(next: Credentials | undefined): Promise<void>;
  /** Whether other replicas change the stored credentials too, so that each change reads them again. */
  readonly isShared?: boolean;
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

/** @param moved called when the credentials in memory change */
export function createKeptCredentials(options: KeptCredentialsOptions, moved: () => void): KeptCredentials {
  return new Kept(options, moved);
}

/** A class, because each HTTP server has one: its functions as closures would take memory for each server. */
class Kept implements KeptCredentials {
  private readonly options: KeptCredentialsOptions;
  private readonly moved: () => void;
  private record: Credentials | undefined = undefined;
  private reading: Promise<void> | undefined = undefined;
  private hasRead = false;
  private isDiscarded = false;
  private unsaved: Credentials | undefined = undefined;
  private turn: Promise<unknown> = SETTLED;

  constructor(options: KeptCredentialsOptions, moved: () => void) {
    this.options = options;
    this.moved = moved;
  }

  async read(): Promise<Credentials | undefined> {
    if (!this.hasRead) await this.readOnce();
    return this.record;
  }

  reload(): Promise<void> {
    return this.serially(async () => {
      if (!this.hasRead || this.unsaved !== undefined) return;
      const found = await this.options.read();
      if (sameJson(found, this.record)) return;
      this.record = found;
      this.moved();
      this.options.changed();
    });
  }

  change(edit: (now: Credentials) => Credentials | undefined): Promise<Credentials> {
    return this.serially(async () => {
      const next = edit(this.unsaved ?? (await this.newest()) ?? {});
      await this.put(next);
      return next ?? {};
    });
  }

  discard(): void {
    if (this.hasRead) return;
    this.hasRead = true;
    this.isDiscarded = true;
  }

  now(): Credentials | undefined {
    return this.record;
  }

  isRead(): boolean {
    return this.hasRead;
  }

  isUnsaved(): boolean {
    return this.unsaved !== undefined;
  }

  foresee(next: Credentials): void {
    this.record = next;
  }

  private newest(): Promise<Credentials | undefined> {
    return this.options.isShared && !this.isDiscarded ? this.options.read() : this.read();
  }

  private readOnce(): Promise<void> {
    this.reading ??= this.options
      .read()
      .then((found) => {
        this.record = found;
        this.hasRead = true;
        this.moved();
      })
      .finally(() => {
        this.reading = undefined;
      });
    return this.reading;
  }

  private serially<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async put(next: Credentials | undefined): Promise<void> {
    // A renewed token exists only here: if storing it fails, it is stored before any other change.
    this.unsaved = next ?? {};
    await this.options.write(next);
    this.unsaved = undefined;
    this.hasRead = true;
    this.isDiscarded = false;
    this.record = next;
    this.moved();
    this.options.changed();
  }
}

const SETTLED: Promise<unknown> = Promise.resolve();
