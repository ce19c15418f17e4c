declare const __VERSION__: string;

/** Set when the program is built. */
export const version: string = __VERSION__;
