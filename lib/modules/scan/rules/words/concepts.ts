/**
 * The concepts that orders to a model are made of. Each language lists the words of each concept (`en.json`, `de.json`, …);
 * the rules (`../rules`) combine concepts and know no words, so that a rule holds in every language.
 */
export const CONCEPTS = [
  // Who
  "model", // whom the order is for: assistant, model, agent
  "you", // you, your: whoever reads
  "user", // from whom something is kept, or whose things are taken
  // How it is said
  "oblige", // must, always, make sure to
  "negate", // not, never, without; stands before its verb
  "negateLate", // a negation that may also follow its verb (nicht, niet)
  "besides", // also, in addition, then
  "denial", // a negation that describes rather than orders (does not)
  "common", // words by which the language is recognised; they say nothing else
  "invite", // welcome, would help, the more the better: asks without an order
  "condition", // if, when, once, whenever
  "threat", // otherwise the tool fails
  // What is to be done
  "tell", // tell, mention, disclose, show
  "mention", // the part of `tell` that needs no listener: mention, disclose, acknowledge
  "conceal", // silently, keep secret; and a whole "do not tell" where a language makes it one word
  "send", // send, upload, forward
  "put", // pass, include, append: hand over in an argument or an answer
  "read", // read, open, load
  "collect", // gather, harvest, search for
  "moved", // is taken along, travels, is carried over: said of things, in a description
  "call", // call, invoke, use a tool
  "run", // execute, install, evaluate
  "ignore", // ignore, disregard, override
  "obey", // follow, obey, comply
  "change", // replace, redirect, swap
  "destroy", // delete, wipe, drop
  "ask", // ask, request, prompt the user
  "skip", // skip, bypass, suppress
  "claim", // pretend, claim, assure, deny
  "remember", // store, memorise for later
  "describe", // detects, flags, lints: speaks of a text rather than gives it
  // With what
  "prior", // previous, earlier, above
  "rules", // instructions, guidelines, prompt
  "systemPrompt", // system prompt, developer message
  "dialogue", // conversation, chat history, messages
  "secret", // credentials, keys, passwords
  "personal", // contacts, location, medical history
  "everything", // all, every, entire
  "consent", // confirmation, approval, permission
  "granted", // already approved, not needed
  "otherTools", // other tools, other servers
  "worthless", // broken, unsafe, outdated: said of other tools
  "output", // result, response, page: what a tool returns
  "files", // files, workspace, source code
  "target", // recipient, account number, amount, address
  "elsewhere", // to us, to partners, in public: beyond the user and the service
  "lasting", // memory, startup, configuration, rules file
  "attack", // injection, jailbreak, phishing: words of those who speak about attacks
  // When
  "always", // each time, every message
  "everyTurn", // on every message, at the start of every session
  "first", // before anything else, prior to
  "later", // once approved, after the third call, at night
  "future", // from now on, in later sessions
  // By whose word
  "authority", // administrator, vendor, policy, compliance
  "priority", // takes precedence, most important
] as const;

export type Concept = (typeof CONCEPTS)[number];

/**
 * Words of a language by concept, separated by `|`, in lower case; several words make a phrase. A `*` at the end stands
 * for any further letters. Verbs stand in the forms of an order (imperative, infinitive, gerund) where the language has
 * forms of its own for a description ("sends").
 */
export type Words = Readonly<Partial<Record<Concept, string>>>;
