import { createTransport } from "nodemailer";
import { outgoingTrust } from "../../core/base/egress/authorities.ts";
import { resolveAllowed } from "../../core/base/egress/resolve-allowed.ts";
import { type HostPort, parseHost } from "../../core/base/host-port.ts";
import { orAborted } from "../../core/base/or-aborted.ts";
import { messageText } from "./message.ts";
import { PartlySent, type Send } from "./sender.ts";

/** Time limit of each step of a delivery (ms). */
const TIMEOUT_MS = 10_000;

/** Sends an e-mail. With `starttls`, nothing is sent to a server that offers no encryption. */
export const sendEmail: Send = async (app, { smtp }, message, signal) => {
  if (!smtp) throw new Error("the channel has no smtp settings");
  const target = parseHost(smtp.address) as Required<HostPort>;
  const { address } = await resolveAllowed(target, app.config.current().outbound_allow, signal);
  const secureContext = await outgoingTrust(app.boot.env);
  const auth = smtp.username
    ? { user: await app.secrets.resolve(smtp.username), pass: await app.secrets.resolve(smtp.password ?? "") }
    : undefined;
  const transport = createTransport({
    host: address,
    port: target.port,
    secure: smtp.security === "tls",
    requireTLS: smtp.security === "starttls",
    ignoreTLS: smtp.security === "none",
    tls: { servername: target.host, ...(secureContext && { secureContext }) },
    ...(auth && { auth }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const stop = () => transport.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    const sending = transport.sendMail({
      from: smtp.from,
      to: smtp.to,
      subject: message.title,
      text: `${messageText(message)}\n`,
      headers: { "Auto-Submitted": "auto-generated" },
    });
    const { rejected } = await orAborted(sending, signal);
    if (rejected.length > 0) throw new PartlySent(`the mail server refused the recipients ${rejected.join(", ")}`);
  } finally {
    signal.removeEventListener("abort", stop);
    transport.close();
  }
};
