declare const __VERSION__: string;

/** The version, set at build time. */
export const version: string = __VERSION__;

/** The command line's user agent, by which activity records contain the source `cli`. */
export const AGENT = `proxy-cli/${version}`;
