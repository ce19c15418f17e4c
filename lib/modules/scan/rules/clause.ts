import { CONCEPT_ID, type Spans } from "./lexicon.ts";
import { type Phrase, phraseOf } from "./phrase.ts";
import type { Concept } from "./words/concepts.ts";

/** What a tool is about, as its name and the first sentence of its description say, and the names of its parameters. */
export interface Topic {
  readonly concepts: ReadonlySet<Concept>;
  readonly parameters: ReadonlySet<string>;
}

export const NO_TOPIC: Topic = { concepts: new Set(), parameters: new Set() };

/** Where a sentence stands. */
export interface Place {
  /** The first sentence of a tool's description: it says what the tool does, often in the form of an order ("Send …"). */
  readonly opening: boolean;
  /** It stands in what the tool returns (`outputSchema`). */
  readonly returned: boolean;
  /** It describes a parameter. */
  readonly parameter: boolean;
  /** It is a default, a choice, a pattern or a comment of a schema, and no example. */
  readonly value: boolean;
}

/** Files and variables that hold credentials. */
const SENSITIVE =
  /\.ssh\b|\bid_(?:rsa|dsa|ecdsa|ed25519)\b|(?<!\w)\.aws\b|\.netrc\b|\.npmrc\b|\.pypirc\b|\.kube\b|\.docker\/config|\.gnupg\b|\.pgpass\b|\.git-credentials\b|\/etc\/(?:passwd|shadow|sudoers)\b|(?:^|[\s"'`(/,])\.env\b|\bmcp(?:_config)?\.json\b|claude_desktop_config|\.config\/(?:gh|gcloud|solana|op)\b|\bhosts\.yml\b|\.(?:bash|zsh)_history\b|\/proc\/self\/environ|\bprocess\.env\b|\bprintenv\b|`(?:env|set)(?: \|[^`]{0,40})?`|\$\(env\)|\*\.(?:pem|key|kdbx|p12)\b|\bwallet\.dat\b|\bkeychain\b|\b(?:chrome|browser|default)\b.{0,30}\blogin data\b|serviceaccount\/token|credential(?:s)? helper|config --get-regexp credential|\bkeepass\b|\bsecrets?\.(?:ya?ml|json|toml)\b|\bcredentials\.(?:json|csv|db)\b|\.azure\b|\bcookies\.sqlite\b|\.terraform\.d\b|\bterraform\.tfvars\b|\.tfstate\b|\bkubeconfig\b|\.boto\b|\.vault-token\b|\bapplication_default_credentials\b|~\/\.config(?![\w/])|~\/\.[\w-]{2,20}\/(?:credentials|token|config|secrets?)\b|~\/documents\b|\bshadow file\b/;

/** An address that something can be sent to. */
const ADDRESS =
  /\b(?:https?|wss?|tcp|ftp|sftp):\/\/[^\s"'`)>]+|\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}|\bs3:\/\/|\b(?:[\w-]{1,63}\.){1,4}(?:example|invalid|test|ru|cn|xyz|top|tk|io|site|com|net|org|info|dev|app|co|cc|me|biz)\b(?!\()|\bpublic (?:gist|pastebin|paste)|\bpastebin\b|\b(?:remote|external|our) (?:server|endpoint|collector|host)\b|\b(?:\d{1,3}\.){3}\d{1,3}\b/;

/** A value that somebody fixed beforehand: an account number, a wallet, a telephone number, an address. */
const FIXED =
  /\b[a-z]{2}\d{2}(?: ?[a-z0-9]{2,4}){1,8}\b|\b0x[0-9a-f]{8,}\b|\b(?:bc1|[13])[a-z0-9]{20,}\b|\+\d[\d -]{6,}\d|\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}|\bhttps?:\/\/|\b(?:[\w-]{1,63}\.){1,4}(?:example|invalid|com|net|org|io)\b|\b\d{6,}\b/;

/** Forms of data: not to show them to the user hides nothing that was done. */
const FORMS =
  /\b(?:raw|json|html|xml|markdown|uuids?|ids?|identifiers?|internal (?:ids?|fields?|names?)|base64|stack traces?|debug|metadata|citations?|links?|markup|syntax|schema|passwords?|tokens?|secrets?|keys?|error codes?|until|unless)\b/;

/** One sentence, normalised, with the concepts that it names, among what its tool is about. */
export class Clause {
  readonly text: string;
  readonly topic: Topic;
  readonly place: Place;
  readonly #phrase: Phrase;
  #order: boolean | undefined;
  #aboutAttacks: boolean | undefined;
  readonly #scale: number;

  /** @param text normalised: look-alikes folded, nothing invisible, lower case */
  constructor(text: string, topic: Topic, place: Place) {
    const phrase = meant(phraseOf(text), topic.concepts.has("attack"));
    this.text = phrase.text;
    this.topic = topic;
    this.place = place;
    this.#phrase = phrase;
    this.#scale = UNSPACED.test(phrase.text) ? 0.5 : 1;
  }

  /** Fewer than two concepts, and no file or address, make no order, so that the rules need not be asked. */
  get plain(): boolean {
    return this.#phrase.namesLittle;
  }

  /** Hashes of its words. */
  get stems(): readonly number[] {
    return this.#phrase.stems;
  }

  has(concept: Concept): boolean {
    return this.#phrase.has(concept);
  }

  /** The concepts that are named, by number, each with the place of its first naming. */
  *named(): Generator<readonly [id: number, at: number]> {
    const { hits } = this.#phrase;
    for (let id = 0; id < hits.length; id++) {
      const spans = hits[id];
      if (spans) yield [id, spans[0]!];
    }
  }

  matches(pattern: RegExp): boolean {
    return this.#phrase.matches(pattern);
  }

  /** Both are named, with no more than `gap` characters between them, in any order. */
  near(a: Concept, b: Concept, gap = 60): boolean {
    return close(this.#spans(a), this.#spans(b), gap * this.#scale);
  }

  /** `b` follows `a`, beginning at most `gap` characters after it. */
  follows(a: Concept, b: Concept, gap = 60): boolean {
    return inOrder(this.#spans(a), this.#spans(b), gap * this.#scale);
  }

  /** The act is forbidden or left out: "do not tell", "without asking"; nothing but words stands between. */
  forbids(act: Concept, gap = 16): boolean {
    const [before, spans] = [this.#spans("negate"), this.#spans(act)];
    if (
      before &&
      spans &&
      some(spans, (at) =>
        some(
          before,
          (_, end) => end <= at && at - end <= gap * this.#scale && !/[,;:.(]/.test(this.text.slice(end, at)),
        ),
      )
    )
      return true;
    const late = this.#spans("negateLate");
    return (
      late !== undefined &&
      spans !== undefined &&
      some(spans, (at, end) =>
        some(
          late,
          (a, b) => (a >= end && a - end <= 34 && !/[,;:.]/.test(this.text.slice(end, a))) || (b <= at && at - b <= 12),
        ),
      )
    );
  }

  /** One of the acts is near the object, and not denied. */
  acts(acts: readonly Concept[], object: Concept, gap = 70): boolean {
    return acts.some((act) => this.near(act, object, gap) && !this.denied(act));
  }

  /** Every naming of an act is denied: never sends, does not store, nicht gesendet. */
  denied(act: Concept): boolean {
    const spans = this.#spans(act);
    if (!spans) return false;
    const before = [this.#spans("negate"), this.#spans("denial")];
    const late = this.#spans("negateLate");
    for (let i = 0; i < spans.length; i += 2) {
      const [at, end] = [spans[i]!, spans[i + 1]!];
      const inOne = (from: number, to: number) =>
        !/[,;:()—–]|\band\b|\bund\b|\bet\b| y | e | en | i | и | そして|，|、|；|：/.test(this.text.slice(from, to));
      const negated =
        before.some(
          (list) =>
            list &&
            some(
              list,
              (a, b) => (b <= at && at - b <= 24 && inOne(b, at)) || (this.#scale < 1 && a >= end && a - end <= 4),
            ),
        ) ||
        (late &&
          some(
            late,
            (a, b) => (a >= end && a - end <= 28 && inOne(end, a)) || (b <= at && at - b <= 24 && inOne(b, at)),
          ));
      if (!negated && !this.#listedAsDenied(at)) return false;
    }
    return true;
  }

  /** "does not upload, store or share …": one negation for a list of acts. */
  #listedAsDenied(at: number): boolean {
    const denials = [this.#spans("denial"), this.#spans("negate")];
    return denials.some(
      (list) =>
        list &&
        some(
          list,
          (_, end) =>
            end <= at &&
            at - end <= 50 &&
            !/[;.:(]/.test(this.text.slice(end, at)) &&
            OR.test(this.text.slice(end, at + 40)) &&
            !/\b(?:and|but|then|und|et|pero|mas|ma|maar|ale)\b/.test(this.text.slice(end, at)),
        ),
    );
  }

  /** It tells somebody to do something, rather than says what the tool does. */
  get order(): boolean {
    this.#order ??= (
      [
        "model",
        "you",
        "oblige",
        "always",
        "everyTurn",
        "first",
        "later",
        "future",
        "threat",
        "conceal",
        "authority",
      ] as const
    ).some((c) => this.has(c));
    return this.#order;
  }

  /** A part of it begins with an act in the form of an order: "…, then install". */
  get imperative(): boolean {
    return ACTS_SAID.some((act) => {
      const spans = this.#spans(act);
      return (
        spans !== undefined &&
        some(
          spans,
          (at) =>
            at === 0 ||
            /(?:^[^\p{L}\p{N}]*|[,:;({[–—.!?\-，。；：、]\s{0,2}|\b(?:and|then|also|please|first|or|und|et|y|e|i|en|dann|zuerst|puis|luego|poi)\s)$/u.test(
              this.text.slice(Math.max(0, at - 8), at),
            ),
        )
      );
    });
  }

  /** The model is spoken to: "Assistant, …", "An das Sprachmodell: …". */
  get calledUpon(): boolean {
    const spans = this.#spans("model");
    return (
      spans !== undefined &&
      some(
        spans,
        (at, end) =>
          /^\s?[:,：，、]/.test(this.text.slice(end, end + 3)) &&
          /(?:^|[([{>.:!?-]\s?|\b(?:to|for|an|das|the|all|à|aux?|para|al?|per|voor|do|dla)\s(?:the |all |das |die |den |el |la |los |o |il )?)[^\p{L}\p{N}]*$/u.test(
            this.text.slice(Math.max(0, at - 14), at),
          ),
      )
    );
  }

  /** It speaks about attacks, as the texts of security tools do. */
  get aboutAttacks(): boolean {
    this.#aboutAttacks ??=
      (this.matches(DETECTS) && !this.namesParameter) ||
      (!this.has("oblige") &&
        !this.namesParameter &&
        ((this.has("describe") && (this.has("attack") || this.topic.concepts.has("attack"))) ||
          (this.topic.concepts.has("attack") && !this.imperative && !this.has("you") && !this.has("model"))));
    return this.#aboutAttacks;
  }

  get sensitivePath(): boolean {
    return /[./`$*]|wallet|key|environ|credential|secret|login|shadow/.test(this.text) && this.matches(SENSITIVE);
  }

  get address(): boolean {
    return /[.@]|:\/\/|paste|server|endpoint|collector|host/.test(this.text) && this.matches(ADDRESS);
  }

  get fixedValue(): boolean {
    return /\d|[.@]/.test(this.text) && this.matches(FIXED);
  }

  get forms(): boolean {
    return this.matches(FORMS);
  }

  /** A parameter of the tool is named in the text, as where something is to be put. */
  get namesParameter(): boolean {
    const { parameters } = this.topic;
    return this.#phrase.quotedNames.some((name) => parameters.has(name)) || this.matches(INTO_PARAMETER);
  }

  #spans(concept: Concept): Spans | undefined {
    return this.#phrase.hits[CONCEPT_ID[concept]];
  }
}

/** What is quoted in a sentence that speaks of texts, or in a tool about attacks, is mentioned, not said. */
function meant(phrase: Phrase, aboutAttacks: boolean): Phrase {
  const speaksOfTexts = (one: Phrase) => aboutAttacks || one.has("describe") || one.has("attack");
  if (!speaksOfTexts(phrase)) return phrase;
  const { unquoted } = phrase;
  return unquoted && speaksOfTexts(unquoted) ? unquoted : phrase;
}

/** The opening of a tool that looks at texts of others. */
const DETECTS =
  /^\W{0,4}(?:detects?|flags?|finds?|scans?|scores?|classif(?:y|ies)|blocks?|filters?|identif(?:y|ies)|recogni[sz]es?|reports?|rates?|explains?|teaches|quiz|returns? (?:a|one|the) (?:training|lesson|exercise|challenge|example)|returns? (?:known|typical|sample)|lists? (?:known|typical|sample)|simulates?|tests? whether|checks? (?:whether|if|for)|erkennt|prüft|d[ée]tecte|detecta|rileva|detecteert|wykrywa|обнаруживает)\b[^.!?]{0,60}\b(?:messages?|texts?|prompts?|content|phrases?|attempts?|injections?|jailbreaks?|scripts?|emails?|pages?|attacks?|attackers?|lessons?|exercises?|sentences?|descriptions?|nachrichten|texte?|messages|mensajes|mensagens|messaggi|berichten|wiadomości|сообщени\w*)\b/;

const OR = /\b(?:or|nor|oder|noch|ni|ou|nem|né|of|lub|ani|veya|или|ни)\b|或|または|또는/;

const ACTS_SAID = [
  "send",
  "put",
  "read",
  "collect",
  "call",
  "run",
  "ignore",
  "change",
  "destroy",
  "conceal",
  "skip",
  "claim",
  "remember",
] as const;

const UNSPACED = /[\u3040-\u9fff\uac00-\ud7af]/;

/** "into the notes field", "as the remark parameter": a place to put something, whatever the parameter's name. */
const INTO_PARAMETER =
  /\b(?:parameter|argument|field|param|arg|feld|champ|paramètre|parametre|campo|parámetro|parametro|parâmetro|argomento|veld|pole|polu|parametr\w*|alan\w*|поле|параметр\p{L}*)\b|参数|字段|參數|パラメータ|引数|フィールド|欄|매개변수|파라미터|필드|인수|معامل|حقل/u;

function close(a: Spans | undefined, b: Spans | undefined, gap: number): boolean {
  if (!a || !b) return false;
  for (let i = 0; i < a.length; i += 2)
    for (let j = 0; j < b.length; j += 2) {
      const distance = a[i]! >= b[j]! ? a[i]! - b[j + 1]! : b[j]! - a[i + 1]!;
      const same = a[i] === b[j] && a[i + 1] === b[j + 1];
      if (!same && distance <= gap) return true;
    }
  return false;
}

function inOrder(a: Spans | undefined, b: Spans | undefined, gap: number): boolean {
  if (!a || !b) return false;
  for (let i = 0; i < a.length; i += 2)
    for (let j = 0; j < b.length; j += 2) if (b[j]! >= a[i + 1]! && b[j]! - a[i + 1]! <= gap) return true;
  return false;
}

function some(spans: Spans, test: (at: number, end: number) => boolean): boolean {
  for (let i = 0; i < spans.length; i += 2) if (test(spans[i]!, spans[i + 1]!)) return true;
  return false;
}
