import assert from "node:assert/strict";
import { test } from "node:test";
import { type CertificateFault, certificateFaultIn } from "#lib/core/base/egress/certificate-fault.ts";

/** As programs write it to their standard error, or as an error of the HTTP client. */
const SAMPLES: [from: string, fault: CertificateFault, text: string][] = [
  ["uv", "authority", "  Caused by: invalid peer certificate: UnknownIssuer"],
  ["uv", "expired", "invalid peer certificate: certificate expired: verification time 1800000000 (UNIX)"],
  ["uv", "expired", "invalid peer certificate: Expired"],
  ["uv", "name", 'invalid peer certificate: certificate not valid for name "packages.example"'],
  ["Deno", "authority", "error: client error (Connect): invalid peer certificate: UnknownIssuer"],
  [
    "Python",
    "authority",
    "ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1006)",
  ],
  [
    "Python",
    "authority",
    "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate in certificate chain (_ssl.c:1000)",
  ],
  ["Python 3.8", "authority", "certificate verify failed: self signed certificate in certificate chain"],
  [
    "Python",
    "expired",
    "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:997)",
  ],
  [
    "Python",
    "name",
    "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: Hostname mismatch, certificate is not valid for 'a.test'. (_ssl.c:1006)",
  ],
  ["Node", "authority", "FetchError: request failed, reason: self-signed certificate in certificate chain"],
  ["Node", "authority", "npm error code SELF_SIGNED_CERT_IN_CHAIN"],
  ["Node", "authority", "code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'"],
  ["Node", "authority", "Error: unable to verify the first certificate"],
  ["Node", "authority", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ["Node", "expired", "code: 'CERT_HAS_EXPIRED'"],
  ["Node", "name", "Hostname/IP does not match certificate's altnames: Host: a.test. is not in the cert's altnames"],
  ["Chromium", "authority", "page.goto: net::ERR_CERT_AUTHORITY_INVALID at https://a.test/"],
  ["Chromium", "name", "net::ERR_CERT_COMMON_NAME_INVALID"],
  ["Go", "authority", "tls: failed to verify certificate: x509: certificate signed by unknown authority"],
  ["Go", "expired", "x509: certificate has expired or is not yet valid: current time 2026-11-22 is after 2026-01-01"],
  ["Go", "name", "x509: certificate is valid for *.corp.example, not api.github.com"],
  ["curl", "authority", "curl: (60) SSL certificate problem: unable to get local issuer certificate"],
  ["curl", "name", "curl: (60) SSL: no alternative certificate subject name matches target host name 'a.test'"],
  [
    "git",
    "authority",
    "fatal: unable to access 'https://a.test/': server certificate verification failed. signer is not trusted",
  ],
  ["Java", "authority", "PKIX path building failed: unable to find valid certification path to requested target"],
  ["Java", "name", "No subject alternative DNS name matching a.test found."],
  [".NET", "authority", "The remote certificate is invalid because of errors in the certificate chain: PartialChain"],
  ["Ruby", "authority", "SSL_connect returned=1 errno=0 state=error: certificate verify failed"],
];

for (const [from, fault, text] of SAMPLES)
  test(`${from}: ${text.slice(0, 90)} → ${fault}`, () => assert.equal(certificateFaultIn(text), fault));

test("other words about certificates and roots are no fault", () => {
  for (const text of [
    "",
    "listening on https://localhost with certificate server.pem",
    "Root folder: /srv; subject: hello",
    "error: connect ECONNREFUSED 127.0.0.1:443",
    "certificate renewed, valid until 2027",
    "issuer: https://id.example",
  ])
    assert.equal(certificateFaultIn(text), undefined, text);
});

test("what stands far behind in a long line is not looked for", () => {
  assert.equal(certificateFaultIn(`${"x ".repeat(40_000)}CERT_HAS_EXPIRED`), undefined);
});
