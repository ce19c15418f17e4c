/** The reason why a program rejected a certificate. */
export type CertificateFault = "authority" | "expired" | "name";

/** The messages of runtimes, libraries and tools, precise ones before vague ones; the first match counts. */
const TEXTS: readonly (readonly [CertificateFault, RegExp])[] = [
  // Node, Deno, browsers
  ["name", /ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate's altnames|ERR_CERT_COMMON_NAME_INVALID/],
  ["expired", /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_CERT_DATE_INVALID/],
  [
    "authority",
    /SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|ERR_CERT_AUTHORITY_INVALID/,
  ],
  // rustls: uv, Deno, many programs in Rust
  ["name", /invalid peer certificate: (?:certificate not valid for name|NotValidForName)/],
  ["expired", /invalid peer certificate: (?:certificate expired|certificate not valid yet|Expired|NotValidYet)/],
  ["authority", /invalid peer certificate: (?:UnknownIssuer|CaUsedAsEndEntity|BadSignature)/],
  // Go
  [
    "name",
    /x509: certificate is (?:valid for .{1,500}, not |not valid for any names)|x509: cannot validate certificate for/,
  ],
  ["expired", /x509: certificate has expired or is not yet valid/],
  ["authority", /x509: certificate signed by unknown authority/],
  // Java, .NET
  ["authority", /PKIX path building failed|RemoteCertificateChainErrors|PartialChain|UntrustedRoot/],
  ["name", /RemoteCertificateNameMismatch|No subject alternative (?:DNS )?names? matching/],
  // OpenSSL, by itself or in Python, Ruby, PHP, curl, git
  [
    "name",
    /[Hh]ostname mismatch, certificate is not valid|IP address mismatch, certificate is not valid|no alternative certificate subject name matches/,
  ],
  ["expired", /certificate has expired|certificate is not yet valid|certificate verify failed: certificate expired/],
  [
    "authority",
    /unable to get (?:local )?issuer certificate|self[- ]signed certificate|unable to verify the first certificate/,
  ],
  // GnuTLS, Secure Transport, and messages that give no reason
  ["authority", /signer is not trusted|certificate issuer is unknown|certificate is not trusted/],
  ["authority", /CERTIFICATE_VERIFY_FAILED|certificate verify failed/],
];

/** Only so many characters of a line are searched: lines may be long, and the message is near the start. */
const LOOKED_AT = 2000;

/** Returns the certificate fault that a text reports; undefined if it reports none. */
export function certificateFaultIn(text: string): CertificateFault | undefined {
  const head = text.slice(0, LOOKED_AT);
  return /cert|issuer|signer|PKIX|Chain|Root|subject/i.test(head)
    ? TEXTS.find(([, pattern]) => pattern.test(head))?.[0]
    : undefined;
}

/** What to do about a rejected certificate of a server that the proxy starts as a program. */
export const CERTIFICATE_REMEDY: Readonly<Record<CertificateFault, string>> = {
  authority:
    "Save the certificate of your organisation's authority as a PEM file, name it in SSL_CERT_FILE, REQUESTS_CA_BUNDLE " +
    "and NODE_EXTRA_CA_CERTS in the environment of the proxy (or in the server's env), and restart the proxy",
  expired: "Check the clock of this machine; if it is right, the operator of that host must renew its certificate",
  name: "Check the host in the address, and whether a proxy or a DNS entry redirects it",
};

export const CERTIFICATE_FAULT: Readonly<Record<CertificateFault, string>> = {
  authority: "is signed by an authority that this machine does not trust",
  expired: "has expired or is not valid yet",
  name: "was issued for another name",
};

/**
 * Finds the certificate fault that the texts of an error report, and explains it together with the remedy. The
 * connection is an HTTP connection of the proxy itself. Undefined if no text reports a certificate fault.
 */
export function certificateFault(
  texts: readonly string[],
  host: string,
): { fault: CertificateFault; message: string } | undefined {
  const text = texts.find((one) => certificateFaultIn(one) !== undefined);
  const fault = text === undefined ? undefined : certificateFaultIn(text);
  if (text === undefined || !fault) return undefined;
  const remedy = {
    authority: "name a PEM file with that authority in SSL_CERT_FILE or NODE_EXTRA_CA_CERTS and restart the proxy",
    expired: "check the clock of this machine; if it is right, the operator of that host must renew it",
    name: "check the host in its url",
  }[fault];
  const message = `the certificate of ${host} ${CERTIFICATE_FAULT[fault]} (${text.slice(0, 200)}); ${remedy}`;
  return { fault, message };
}
