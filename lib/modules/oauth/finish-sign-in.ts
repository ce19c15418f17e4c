import { Fault } from "../../core/base/fault.ts";
import { suggestionFor } from "./advice.ts";
import { without } from "./credentials.ts";
import { endTokens } from "./end-tokens.ts";
import { flowFault } from "./flow-fault.ts";
import { exchange } from "./grants.ts";
import type { Finished } from "./oauth.ts";
import { grantOf, nameOf } from "./oauth-context.ts";
import type { Parts } from "./parts.ts";
import type { Place } from "./records.ts";
import { refusalOf } from "./refusal.ts";
import { settingsOf } from "./settings.ts";

/**
 * Accepts the authorization response of a browser once, exchanges its code for tokens and stores them.
 *
 * @param expected the sign-in to which it belongs according to the user
 * @throws Fault code_flow_failed, whose facts name the user who began the sign-in
 */
export async function finishSignIn(
  parts: Parts,
  answer: URLSearchParams,
  expected: Place | undefined,
): Promise<Finished> {
  const { clock, config, events, flows, log } = parts;
  const { holder, pending } = await flows.claim(answer.get("state") ?? "", expected);
  const { authority, client, correlation_id: correlationId, by } = pending;
  const { server, owner } = holder.place;
  const name = nameOf(parts, server, correlationId);
  const secretTexts = [pending.state, pending.verifier, client.secret, answer.get("code") ?? undefined];
  const { epoch } = holder;
  try {
    const entry = config.server(server);
    if (!entry) throw new Fault("server_not_found", { server });
    const settings = await settingsOf(parts, entry, name);
    secretTexts.push(...settings.secret);
    const grant = grantOf(parts, { authority, client, settings });
    const tokens = await exchange(grant, pending, answer);
    if (epoch !== holder.epoch) {
      await endTokens(grant, tokens, clock, log);
      throw new Error("a user signed out in the meantime");
    }
    const scope = tokens.scope ?? pending.scope;
    await holder.change(({ pending: newer, unfinished }) => ({
      authority,
      client,
      tokens: { ...tokens, ...(scope !== undefined && { scope }) },
      ...(newer && { pending: newer, ...(unfinished && { unfinished }) }),
    }));
  } catch (error) {
    const refusal = refusalOf(error, secretTexts);
    if (refusal.kind === "client" && client.registered) await holder.change((now) => without(now, "client"));
    const suggestion = suggestionFor(refusal, holder.place, client);
    flows.failed(holder, name, { reason: refusal.text, suggestion });
    const reason = `sign-in to server "${server}" failed: ${refusal.text}`;
    const fault = flowFault("code_flow_failed", name, reason, suggestion);
    throw Object.assign(fault, { facts: { ...fault.facts, by } });
  } finally {
    holder.finishing(undefined);
  }
  holder.failed(undefined);
  log.info(`signed in to server "${server}" at ${authority.issuer}`, { server, correlation_id: correlationId });
  events.publish("oauth.login_completed", { server_name: server, correlation_id: correlationId });
  return { server, owner, correlationId, by };
}
