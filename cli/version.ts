declare const __VERSION__: string;

/** Set when the program is built. */
export const version: string = __VERSION__;

/** How the command line names itself to the proxy; its records say `cli` by it. */
export const AGENT = `proxy-cli/${version}`;
