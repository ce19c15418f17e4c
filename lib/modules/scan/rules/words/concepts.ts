/**
 * The concepts that occur in orders to a model. Each language lists the words of each concept (`en.json`, `de.json`,
 * …). The rules (`../rules`) combine concepts and contain no words, so that a rule applies to every language.
 */
export const CONCEPTS = [
  // Who
  "model", // the receiver of the order: assistant, model, agent
  "you", // you, your: the reader
  "user", // the person from whom something is concealed or taken
  // How it is said
  "oblige", // must, always, make sure to
  "negate", // not, never, without; stands before its verb
  "negateLate", // a negation that may also follow its verb (nicht, niet)
  "besides", // also, in addition, then
  "denial", // a negation that describes rather than orders (does not)
  "common", // words that only identify the language
  "invite", // welcome, would help, the more the better: a request without an order
  "condition", // if, when, once, whenever
  "threat", // otherwise the tool fails
  // What is to be done
  "tell", // tell, mention, disclose, show
  "mention", // the part of `tell` that needs no listener: mention, disclose, acknowledge
  "conceal", // silently, keep secret; also "do not tell" if it is one word in a language
  "send", // send, upload, forward
  "put", // pass, include, append: hand over in an argument or an answer
  "read", // read, open, load
  "collect", // gather, harvest, search for
  "moved", // is taken along, travels, is carried over: about data, in a description
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
  "describe", // detects, flags, lints: describes a text instead of stating it
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
  "worthless", // broken, unsafe, outdated: about other tools
  "output", // result, response, page: what a tool returns
  "files", // files, workspace, source code
  "target", // recipient, account number, amount, address
  "elsewhere", // to us, to partners, in public: beyond the user and the service
  "lasting", // memory, startup, configuration, rules file
  "attack", // injection, jailbreak, phishing: words of texts about attacks
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

/** The languages with word lists. The tables of the lexicon contain the positions in this list. */
export const LANGUAGE_NAMES = [
  "en",
  "de",
  "fr",
  "es",
  "pt",
  "it",
  "nl",
  "pl",
  "tr",
  "ru",
  "ar",
  "zh",
  "ja",
  "ko",
] as const;

export type LanguageName = (typeof LANGUAGE_NAMES)[number];

/**
 * Words of a language by concept, separated by `|`, in lower case; several words make a phrase. A `*` at the end
 * matches any further letters. Verbs are listed in the forms of an order (imperative, infinitive, gerund) if the
 * language has different forms for a description ("sends").
 */
export type Words = Readonly<Partial<Record<Concept, string>>>;
