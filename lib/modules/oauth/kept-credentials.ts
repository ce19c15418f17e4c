import { sameJson } from "../../core/base/json-object.ts";
import type { Credentials } from "./credentials.ts";

export interface KeptCredentialsOptions {
  read(): Promise<Credentials | undefined>;
  /** Stores the credentials; durable when the promise resolves. */
  write(next: Credentials | undefined): Promise<void>;
  /**
   * Changes the stored credentials in one step with reading them. Present if other replicas change them, too. The edit
   * may run several times.
   */
  change?(edit: Edit): Promise<Credentials>;
  /** Called when they change for another reason than the first read. */
  changed(): void;
}

type Edit = (now: Credentials) => Credentials;

/** One owner's credentials at one server, in memory and at rest. */
export interface KeptCredentials {
  /** Reads the stored credentials, once. @throws if they cannot be decrypted */
  read(): Promise<Credentials | undefined>;
  /** Reads the stored credentials again, because another replica may have changed them. */
  reload(): Promise<void>;
  /** Changes the credentials, serially; the change applies when it is durable. */
  change(edit: Edit): Promise<Credentials>;
  /** Like `change`. If it cannot be stored, it is part of each later change until one is stored. */
  changeSurely(edit: Edit): Promise<Credentials>;
  /** Treats credentials that cannot be decrypted as absent; the next change replaces them. */
  discard(): void;
  /** The credentials in memory; undefined if none are stored or they were not read yet. */
  now(): Credentials | undefined;
  isRead(): boolean;
  /** Whether a change that must not be lost is not stored yet. */
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
  private unsaved: Edit | undefined = undefined;
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

  change(edit: Edit): Promise<Credentials> {
    return this.serially(() => this.store(this.afterUnsaved(edit)));
  }

  changeSurely(edit: Edit): Promise<Credentials> {
    return this.serially(() => {
      this.unsaved = this.afterUnsaved(edit);
      return this.store(this.unsaved);
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

  private afterUnsaved(edit: Edit): Edit {
    const { unsaved } = this;
    return unsaved ? (now) => edit(unsaved(now)) : edit;
  }

  private async store(edit: Edit): Promise<Credentials> {
    const { options } = this;
    let next: Credentials;
    if (options.change && !this.isDiscarded) next = await options.change(edit);
    else {
      next = edit((await this.read()) ?? {});
      await options.write(next);
    }
    this.unsaved = undefined;
    this.hasRead = true;
    this.isDiscarded = false;
    this.record = next;
    this.moved();
    options.changed();
    return next;
  }
}

const SETTLED: Promise<unknown> = Promise.resolve();
