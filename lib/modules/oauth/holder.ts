import type { UpstreamSignIn } from "../../core/schema/upstream-sign-in.ts";
import type { UpstreamAuthorization } from "../../core/upstream/authorization.ts";
import type { Challenge } from "./challenge.ts";
import type { Credentials, Pending } from "./credentials.ts";
import { createKeptCredentials, type KeptCredentials, type KeptCredentialsOptions } from "./kept-credentials.ts";
import { createRenewer, type Renewer, type RenewerOptions } from "./renewer.ts";
import { createShownCredentials, type ShownCredentials } from "./shown-credentials.ts";
import { isSpent, standOf } from "./sign-in-state.ts";

export type HolderOptions = RenewerOptions &
  Pick<KeptCredentialsOptions, "read" | "write" | "change"> & {
    /** Gets and stores tokens without a person. @returns false if only a person can sign in */
    obtain?(holder: Holder): Promise<boolean>;
  };

/** The credentials of one owner at one server: storage, renewal and use, and the state of the sign-in. */
export interface Holder {
  /** Returns the stored credentials, which are read once. @throws if they cannot be decrypted */
  read(): Promise<Credentials | undefined>;
  /** Reads the stored credentials again, because another replica may have changed them. */
  reload(): Promise<void>;
  /** Marks stored credentials that cannot be decrypted; the next sign-in or sign-out replaces them. */
  discard(): void;
  /** Changes the credentials, serially; the change applies when it is durable. */
  change(edit: (now: Credentials) => Credentials): Promise<Credentials>;
  bearer(serverUrl: string): UpstreamAuthorization;
  /** Gets tokens without a person; joins the request in progress. @returns false if only a person can sign in */
  obtain(): Promise<boolean>;
  /** The server's last challenge. */
  challenge(): Challenge | undefined;
  status(): UpstreamSignIn;
  /** Whether the token has expired and cannot be renewed. */
  isSpent(): boolean;
  failed(failure: NonNullable<UpstreamSignIn["failure"]> | undefined): void;
  /** Sets the sign-in whose response is being exchanged; until then its status remains "in progress". */
  finishing(pending: Pending | undefined): void;
  /** Increases each time the credentials are deleted, so that work that began before stores nothing. */
  readonly epoch: number;
  forgotten(): void;
  stop(): void;
}

/** A class, because each HTTP server has a holder: its functions as closures would take memory for each server. */
export class SignInHolder implements Holder {
  epoch = 0;
  private readonly options: HolderOptions;
  private readonly credentials: KeptCredentials;
  private readonly renewer: Renewer;
  private readonly shows: ShownCredentials;
  private failure: UpstreamSignIn["failure"] = undefined;
  private exchanged: Pending | undefined = undefined;
  private obtaining: Promise<boolean> | undefined = undefined;

  constructor(options: HolderOptions) {
    this.options = options;
    this.credentials = createKeptCredentials(options, () => this.renewer.schedule());
    this.renewer = createRenewer(options, this.credentials);
    this.shows = createShownCredentials(options.clock, this.credentials, this.renewer, () => this.obtain());
  }

  read(): Promise<Credentials | undefined> {
    return this.credentials.read();
  }

  reload(): Promise<void> {
    return this.credentials.reload();
  }

  change(edit: (now: Credentials) => Credentials): Promise<Credentials> {
    return this.credentials.change(edit);
  }

  discard(): void {
    this.credentials.discard();
  }

  bearer(serverUrl: string): UpstreamAuthorization {
    return this.shows.bearer(serverUrl);
  }

  challenge(): Challenge | undefined {
    return this.shows.challenge();
  }

  forgotten(): void {
    this.epoch++;
    this.failure = undefined;
    this.renewer.forgotten();
  }

  finishing(pending: Pending | undefined): void {
    this.exchanged = pending;
  }

  failed(next: UpstreamSignIn["failure"]): void {
    this.failure = next;
    this.options.changed();
  }

  status(): UpstreamSignIn {
    const { credentials, exchanged, failure, renewer, options } = this;
    return standOf({ record: credentials.now(), exchanged, failure, retry: renewer.retry() }, options.clock.now());
  }

  isSpent(): boolean {
    return isSpent(this.credentials.now(), this.options.clock.now());
  }

  stop(): void {
    this.renewer.stop();
  }

  obtain(): Promise<boolean> {
    this.obtaining ??= (this.options.obtain?.(this) ?? Promise.resolve(false)).finally(() => {
      this.obtaining = undefined;
    });
    return this.obtaining;
  }
}
