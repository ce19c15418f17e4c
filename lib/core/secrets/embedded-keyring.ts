import { loadAddon } from "../base/addon.ts";

/** Replaces `@napi-rs/keyring` inside the single-file executable, where the library's addon is an embedded asset. */
type Keyring = typeof import("@napi-rs/keyring");

const addon = loadAddon<Keyring>("keyring.node");

export const Entry: Keyring["Entry"] = addon.Entry;
export const AsyncEntry: Keyring["AsyncEntry"] = addon.AsyncEntry;
export const findCredentials: Keyring["findCredentials"] = addon.findCredentials;
