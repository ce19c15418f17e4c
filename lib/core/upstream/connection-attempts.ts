import { certificateFaultIn } from "../base/egress/certificate-fault.ts";
import type { ServerConfig } from "../config/config-keys.ts";
import { isLaunchedHttpServer } from "../config/launched-http-server.ts";
import type { ServerCapabilities } from "../schema/server-capabilities.ts";
import type { ConnectionContext } from "./connection-context.ts";
import { SignInNeeded, StatusError, UpstreamError } from "./errors.ts";
import { HostUnreachable } from "./http/http-host.ts";
import { type OpenChannel, openUpstream } from "./open.ts";
import type { ExchangeHooks } from "./protocol/exchange-hooks.ts";
import { askableCapabilities, serverTimings } from "./settings.ts";
import { startProcess } from "./stdio/start-process.ts";
import { resolveTarget } from "./target.ts";
import type { Transport } from "./transport.ts";

/** What an attempt tells its connection; `opened` is set when the conversation is open, `dead` when it ended. */
export interface AttemptHooks extends ExchangeHooks {
  opened?: OpenChannel;
  dead?: Error;
}

/** The attempts to connect to one server, and what they learnt. */
interface ConnectionAttempts {
  /** One attempt. @throws UpstreamError, Fault, RpcError; nothing is left open then */
  open(signal: AbortSignal, hooks: AttemptHooks): Promise<OpenChannel>;
  /** Replaces the secrets of the definition that was used last. */
  mask(text: string): string;
  /** As `mask`, for the texts of a tool or another item. */
  maskTool(text: string): string;
  /** What the last attempt found; always the same object, since each call looks into it. */
  readonly facts: Readonly<AttemptFacts>;
  /** The kind of transport that worked last time says nothing about what is configured now. */
  forgetTransport(): void;
}

interface AttemptFacts {
  capabilities: ServerCapabilities | undefined;
  /** What a program wrote about a certificate that it does not accept. */
  badCertificate: string | undefined;
}

/** Of an error that an upstream worded. (characters) */
const MAX_ERROR = 1000;

/** How a server is spoken to first that was last spoken to in a protocol version of that year. */
const STARTS = { "2025": "initialize", "2026": "discover" } as const;

/** For the server's log, when it is started for a second time. */
const SPOILT = {
  initialize: "it does not go on after server/discover; it is started again and gets initialize first",
  discover: "it answered server/discover late; it is started again to be spoken to in protocol version 2026-07-28",
};

/**
 * @param configured its entry as it is now
 * @param wanted whether the server is to be connected to now
 */
export function createConnectionAttempts(
  around: ConnectionContext,
  configured: () => ServerConfig,
  wanted: () => boolean,
): ConnectionAttempts {
  const { config, clock, serverLogs, credentials, launcher, versions } = around;
  let mask = (text: string) => text;
  let maskTool = mask;
  let remembered: Transport["kind"] | undefined;
  /** The probe ended the last attempt's process, and the second process did not open a conversation either. */
  let spoiltByProbe = false;
  const facts: AttemptFacts = { capabilities: undefined, badCertificate: undefined };

  async function open(signal: AbortSignal, hooks: AttemptHooks): Promise<OpenChannel> {
    const entry = configured();
    const { name } = entry;
    const surroundings = { env: around.env, inheritance: config.current().environment };
    const bearerFor = credentials && ((url: URL) => credentials.bearer(name, url, around.owner));
    const target = await resolveTarget(entry, around.secrets, surroundings, bearerFor);
    ({ mask, maskTool } = target);
    facts.badCertificate = undefined;
    const known = versions.get(entry);
    const times = serverTimings(config.current(), entry);
    let restarted = false;
    const opened = await openUpstream({
      server: name,
      target,
      client: around.client,
      capabilities: askableCapabilities(entry),
      clock,
      start: async (to, until) => {
        checkReach(entry);
        return launcher.start({
          server: entry,
          target: to,
          signal: until,
          onLine: (line) => serverLogs.write(name, "info", target.mask(line)),
          plain: (what) => startProcess(name, what, around.guard),
        });
      },
      hooks,
      onStderr(line) {
        serverLogs.write(name, "info", `stderr: ${line}`);
        if (certificateFaultIn(line)) facts.badCertificate = line.slice(0, MAX_ERROR);
      },
      onOutput: (line) => serverLogs.write(name, "info", `stdout: ${line}`),
      launchMs: times.launch,
      timeoutMs: times.init,
      signal,
      remembered,
      begin: known ? STARTS[known] : spoiltByProbe ? "initialize" : "probe",
      onSpoilt(next) {
        serverLogs.write(name, "info", SPOILT[next]);
        if (next === "discover") versions.learnModern(entry);
        else restarted = true;
      },
    }).catch((error) => {
      spoiltByProbe = restarted;
      if (known && wanted() && !isPassing(error)) versions.forget(name);
      throw error;
    });
    if (hooks.dead) {
      await opened.transport.close();
      throw hooks.dead;
    }
    hooks.opened = opened;
    facts.capabilities = opened.handshake.capabilities;
    remembered = opened.transport.kind;
    // What follows from a failed attempt may have another reason.
    versions.learn(entry, spoiltByProbe ? { ...opened, remember: "no" } : opened);
    spoiltByProbe = false;
    opened.late?.then((accepted) => accepted && versions.forget(name));
    return opened;
  }

  /** What is spoken to by a port of this machine must have that: a network of its own has other ports. */
  function checkReach(server: ServerConfig): void {
    const plan = launcher.plan(server);
    if (!isLaunchedHttpServer(server) || plan.how === "plain" || plan.network === "host") return;
    throw new UpstreamError(
      `its url is a port of this machine, which it cannot open from a ${plan.how} of its own; let it share the network ` +
        "(isolation.network_mode: host), or set its isolation.enabled_override to false",
    );
  }

  return {
    open,
    mask: (text) => mask(text),
    maskTool: (text) => maskTool(text),
    facts,
    forgetTransport() {
      remembered = undefined;
    },
  };
}

/** Whether a failure says nothing about the protocol version. */
function isPassing(error: unknown): boolean {
  if (error instanceof HostUnreachable || error instanceof SignInNeeded) return true;
  return error instanceof StatusError && (error.status >= 500 || PASSING.has(error.status));
}
const PASSING = new Set([403, 408, 425, 429]);
