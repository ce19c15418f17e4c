import { access, constants } from "node:fs/promises";
import { delimiter } from "node:path";
import type { App } from "../../../core/app.ts";
import { namedAuthorities } from "../../../core/base/egress/authorities.ts";
import {
  CERTIFICATE_FAULT,
  CERTIFICATE_REMEDY,
  type CertificateFault,
} from "../../../core/base/egress/certificate-fault.ts";
import { unusableProxies } from "../../../core/base/egress/proxy-for.ts";
import { reasonOf } from "../../../core/base/fault.ts";
import { shellWord } from "../../../core/base/shell-word.ts";
import type { Caller } from "../../../core/schema/caller.ts";
import type { ConnectionStatus } from "../../../core/schema/connection-status.ts";
import type { DoctorFinding } from "../../../core/schema/doctor-shapes.ts";

/**
 * Checks what can prevent the proxy and its servers from reaching other hosts: certificates, and this machine's HTTP
 * proxy.
 */
export async function network(app: App, { tier }: Pick<Caller, "tier">): Promise<DoctorFinding[]> {
  const servers = app.config.current().mcpServers.filter(({ enabled }) => enabled);
  const certificates = servers.flatMap(({ name }) => certificate(app, name, tier === "admin"));
  return [...certificates, ...proxies(app), ...(await authorities(app))];
}

/** The certificate fault of a server: of its connection, or in the output of its process. */
function certificateFaultOf(status: ConnectionStatus | undefined): CertificateFault | undefined {
  const failed = status?.state === "Ready" ? undefined : status?.certificateFault;
  return status?.badCertificate?.fault ?? failed;
}

/** Whether a server does not work and `network` reports a certificate as the reason. */
export const isCertificateFailure = (app: App, name: string): boolean => {
  const status = app.upstreams.get(name)?.status();
  return status?.state !== "Ready" && certificateFaultOf(status) !== undefined;
};

/** @param withWords whether the caller may see texts that the server wrote */
function certificate(app: App, name: string, withWords: boolean): DoctorFinding[] {
  const status = app.upstreams.get(name)?.status();
  const fault = certificateFaultOf(status);
  if (!status || !fault) return [];
  const { badCertificate, state, lastError } = status;
  const words = badCertificate?.line ?? lastError;
  return [
    {
      code: "server_certificate",
      severity: state === "Ready" ? "warning" : "error",
      title: `Server "${name}" received a certificate that ${CERTIFICATE_FAULT[fault]}`,
      ...(withWords && words !== undefined && { detail: words }),
      server: name,
      remedy: {
        action: CERTIFICATE_REMEDY[fault],
        command: fault === "authority" ? "proxy restart" : `proxy upstream logs ${shellWord(name)}`,
      },
    },
  ];
}

const proxies = ({ boot }: App): DoctorFinding[] =>
  unusableProxies(boot.machine.env).map(({ variable, reason }) => ({
    code: "outbound_proxy_unusable",
    severity: "warning",
    title: `${variable} is not used: ${reason}`,
    detail: "The proxy connects directly to hosts that this variable is meant for.",
    remedy: { action: `Set ${variable} to an HTTP proxy, or remove it from the environment of the proxy` },
  }));

/** OpenSSL and programs built on it read the variables with file names; the other variables only need to exist. */
const FILES =
  "NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE PIP_CERT GIT_SSL_CAINFO AWS_CA_BUNDLE DENO_CERT".split(" ");

async function authorities({ boot }: App): Promise<DoctorFinding[]> {
  const { env } = boot.machine;
  const { unreadable } = await namedAuthorities(env);
  const missing = await Promise.all(
    FILES.map(async (variable) => {
      const path = env[variable]?.split(delimiter)[0];
      const reason = path ? await access(path, constants.R_OK).then(() => undefined, reasonOf) : undefined;
      return path && reason !== undefined ? [{ variable, path, reason }] : [];
    }),
  );
  return [...unreadable, ...missing.flat()].map(({ variable, path, reason }) => ({
    code: "authorities_unreadable",
    severity: "warning",
    title: `${variable} names ${path}, which cannot be read (${reason})`,
    detail: "The proxy does not trust hosts whose certificates that authority signed.",
    remedy: {
      action: `Restore the file or correct ${variable} in the environment of the proxy, then restart the proxy`,
    },
  }));
}
