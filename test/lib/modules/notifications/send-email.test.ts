import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { SMTPServer } from "smtp-server";
import { notifications } from "#lib/modules/notifications/state.ts";
import { testApp } from "#test/kit/app.ts";
import { ask } from "#test/kit/http.ts";
import { until } from "#test/kit/until.ts";

/** Starts a real mail server, and returns what it received. */
async function mailServer(t: TestContext, options: ConstructorParameters<typeof SMTPServer>[0] = {}) {
  const mails: { to: string[]; text: string; user: unknown }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      let text = "";
      stream.on("data", (part: Buffer) => {
        text += part.toString();
      });
      stream.on("end", () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text, user: session.user });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  t.after(() => new Promise<void>((done) => server.close(() => done())));
  return { mails, port: (server.server.address() as { port: number }).port };
}

async function appWith(t: TestContext, port: number, smtp: object = {}) {
  const app = await testApp({
    env: { SMTP_PASSWORD: "p4ss" },
    config: {
      outbound_allow: ["127.0.0.1"],
      notifications: {
        channels: [
          {
            name: "mail",
            type: "email",
            smtp: {
              address: `127.0.0.1:${port}`,
              security: "none",
              from: "proxy@example.com",
              to: ["a@example.com", "b@example.com"],
              ...smtp,
            },
          },
        ],
      },
    },
  });
  t.after(() => app.close());
  await until("the channel runs", () => app.part(notifications).list()[0]!.state !== "disabled");
  return app;
}

const sendTest = (app: Parameters<typeof ask>[0]) => ask(app, "POST /api/v1/notifications/mail/test", { body: {} });

test("an e-mail reaches every recipient, with the notice and its link", async (t) => {
  const { mails, port } = await mailServer(t, {
    disabledCommands: ["STARTTLS"],
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      username === "me" && password === "p4ss" ? done(null, { user: username }) : done(new Error("no")),
  });
  const app = await appWith(t, port, { username: "me", password: "${env:SMTP_PASSWORD}" });

  const { status, body } = await sendTest(app);

  assert.equal(status, 200, JSON.stringify(body));
  const [{ to, text }] = mails as [(typeof mails)[0]];
  assert.deepEqual(to, ["a@example.com", "b@example.com"]);
  assert.match(text, /^Subject: proxy: This is a test\r$/m);
  assert.match(text, /^From: proxy@example\.com\r$/m);
  assert.match(text, /^\[info\] This is a test\r\nThe channel mail works\.\r\nhttp:/m);
});

test("nothing is sent to a server without encryption unless the channel allows it", async (t) => {
  const { mails, port } = await mailServer(t);
  const app = await appWith(t, port, { security: "starttls" });

  const { status, body } = await sendTest(app);

  assert.deepEqual([status, body.code, mails.length], [502, "notification_failed", 0]);
});

test("a server that refuses the mail is told, and notices wait", async (t) => {
  const { mails, port } = await mailServer(t, {
    onRcptTo: (_, __, done) => done(Object.assign(new Error("mailbox unavailable"), { responseCode: 550 })),
  });
  const app = await appWith(t, port);
  app.events.publish("security.integrity_alert", {
    server_name: "git",
    alert_type: "files_changed",
    action: "reported",
  });
  const state = () => app.part(notifications).list()[0]!;
  await until("the failure", () => state().state === "failing");

  assert.match(state().problem!, /mailbox unavailable/);
  assert.deepEqual([state().waiting, mails.length], [1, 0]);
});

test("recipients that the server refuses are told; the others get the mail once", async (t) => {
  const { mails, port } = await mailServer(t, {
    onRcptTo: ({ address }, _, done) =>
      done(address.startsWith("b@") ? Object.assign(new Error("no such user"), { responseCode: 550 }) : null),
  });
  const app = await appWith(t, port);
  app.events.publish("security.integrity_alert", {
    server_name: "git",
    alert_type: "files_changed",
    action: "reported",
  });
  const state = () => app.part(notifications).list()[0]!;
  await until("the mail", () => state().sent === 1);

  assert.deepEqual([state().state, state().waiting, mails.map(({ to }) => to)], ["failing", 0, [["a@example.com"]]]);
  assert.match(state().problem!, /b@example\.com/);
  const { status, body } = await sendTest(app);
  assert.equal(status, 502);
  assert.match(body.error, /b@example\.com/);
});

test("a private address of a mail server is refused unless outbound_allow names it", async (t) => {
  const { mails, port } = await mailServer(t);
  const app = await appWith(t, port);
  await app.config.update((draft) => {
    draft.outbound_allow = [];
  }, "test");

  const { status, body } = await sendTest(app);

  assert.equal(status, 502);
  assert.match(body.error, /outbound_allow/);
  assert.equal(mails.length, 0);
});
