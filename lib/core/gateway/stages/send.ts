import { Fault } from "../../base/fault.ts";
import { callInspector } from "../../extension/call-inspector.ts";
import type { CallToolResult, McpObject, Reply } from "../../schema/mcp.ts";
import type { ReplyReceiver } from "../../upstream/protocol/reply-receiver.ts";
import type { RequestJudge, RequestOptions } from "../../upstream/upstreams.ts";
import { endAnswered } from "../await-answers.ts";
import { callTimeoutMs } from "../call-timeout.ts";
import { clientLogMessage } from "../client-log-message.ts";
import { publishCallStarted } from "../publish-call.ts";
import { relayQuestion } from "../relay-question.ts";
import { needsAddresses, requireAddresses } from "../require-addresses.ts";
import { isInputRequired, screenInputRequired } from "../screen-input-required.ts";
import { waitForTask } from "../wait-for-task.ts";
import { judgeAgain } from "./judge.ts";
import type { GatewayCall } from "./stage.ts";

/** Sends the request and waits for the upstream's response. An error is stored in the call for the remaining stages. */
export function sendCall(call: GatewayCall): Promise<void> {
  const { app, by, tool, request, item } = call;
  const upstream = call.upstream!;
  if (!item && !request.taskRequest) publishCallStarted(app, by, call);
  const { taskRequest } = request;
  const others = item?.params ?? taskRequest?.params;
  const params: McpObject = others ? { ...others } : { name: tool, arguments: request.args };
  if (request.task) params.task = request.task;
  const meta = call.tracedMeta ?? request.meta;
  if (meta) params._meta = meta;
  const options = optionsOf(call);
  call.mask = upstream.mask;
  if (request.asking) endAnswered(call);
  // The only promise between the request and its record. The result of tools/call has this type; its members are passed
  // on without being read.
  return new Promise((done) => {
    const outcome = new CallOutcome(call, done);
    options.judge = outcome;
    if (needsTask(call))
      waitForTask(upstream, params, options).then(
        (reply) => outcome.done(reply),
        (error) => outcome.fail(error),
      );
    else upstream.start(call.method, params, options, outcome);
  });
}

/** Stores the outcome in its call. If the call has to wait until it can be sent, it is judged again. */
class CallOutcome implements ReplyReceiver, RequestJudge {
  private readonly call: GatewayCall;
  private readonly stored: () => void;
  private readonly startedAt = performance.now();

  constructor(call: GatewayCall, stored: () => void) {
    this.call = call;
    this.stored = stored;
  }

  done(reply: Reply): void {
    const { call } = this;
    const answer = reply as Reply<CallToolResult>;
    try {
      call.reply = isInputRequired(answer.result) ? screenInputRequired(call, answer) : answer;
      this.end();
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    const { call } = this;
    try {
      if (needsAddresses(error)) Object.assign(call, requireAddresses(call, error));
      else call.error = endingFault(call.request.signal) ?? error;
    } catch (defect) {
      call.error = defect;
    }
    this.end();
  }

  judgeAgain(): Promise<Fault> | undefined {
    return judgeAgain(this.call);
  }

  private end(): void {
    this.call.durationMs = performance.now() - this.startedAt;
    this.stored();
  }
}

/** Returns why the proxy ended the call; undefined if it did not. */
function endingFault({ aborted, reason }: AbortSignal): Fault | undefined {
  return aborted && reason instanceof Fault ? reason : undefined;
}

/** True if the tool can be called only as a task but the caller did not ask for one. */
function needsTask({ request, snapshot: { tool }, upstream }: GatewayCall): boolean {
  if (!tool || !("execution" in tool) || tool.execution?.taskSupport !== "required") return false;
  return !request.task && !request.taskRequest && upstream?.capabilities?.tasks !== undefined;
}

// Members are set one by one, because a spread would make calls measurably slower.
function optionsOf(call: GatewayCall): RequestOptions {
  const { app, by, server, request } = call;
  const { signal, onProgress, logs, asking, ask } = request;
  const options: RequestOptions = { timeoutMs: callTimeoutMs(app, server), signal, caller: by.caller };
  if (onProgress) {
    const inspector = app.part(callInspector);
    options.onProgress = inspector ? (progress) => onProgress(inspector.progress(call, progress)) : onProgress;
  }
  if (logs && call.upstream?.capabilities?.logging)
    options.logs = {
      level: logs.level,
      receive(message) {
        const shown = clientLogMessage(app, call, message);
        if (shown) logs.receive(shown);
      },
    };
  if (request.task) options.makesTask = true;
  if (asking) options.asking = asking;
  if (ask) options.onQuestion = (question) => void relayQuestion(call, question);
  return options;
}
