import { IN, OUT, type Rule, VALUABLES } from "./rule.ts";

/** Orders to disclose data that the tool should not get. */
export const EXFILTRATION: readonly Rule[] = [
  {
    rule: "exfiltration.file",
    explanation: "tells the model to read files or variables that contain credentials",
    severity: (c) => {
      if (!c.sensitivePath || c.matches(OWN_FILE)) return;
      const out = OUT.some((act) => c.has(act) && !c.denied(act));
      const reads = IN.some((act) => c.has(act) && !c.denied(act)) || (c.has("run") && !c.denied("run"));
      if (!out && !reads) return;
      if (c.order || (out && reads) || !c.place.opening) return "high";
      return c.topic.concepts.has("secret") || c.topic.concepts.has("lasting") ? "low" : "high";
    },
  },
  {
    rule: "exfiltration.secret",
    explanation: "tells the model to collect or disclose secrets",
    severity: (c) => {
      if (!c.has("secret")) return;
      const out = c.acts(OUT, "secret", 70);
      const takes = c.acts(["collect"], "secret", 60) || (c.acts(["read"], "secret", 50) && out);
      if (!out && !takes) return;
      const broad = c.near("everything", "secret", 40);
      const addressed =
        c.has("model") ||
        c.has("you") ||
        c.has("everyTurn") ||
        c.has("always") ||
        c.has("first") ||
        c.has("later") ||
        c.has("conceal") ||
        c.has("threat") ||
        c.has("future");
      const toward = c.address || c.has("dialogue") || c.has("otherTools") || c.has("output");
      if (
        c.place.parameter &&
        (c.near("everything", "secret", 24) || c.near("user", "secret", 24)) &&
        !c.topic.concepts.has("secret") &&
        (c.has("you") || c.has("collect") || c.has("put") || c.has("read") || c.has("everything")) &&
        c.matches(COLLECTED)
      )
        return "medium";
      if (c.place.parameter && !addressed && !broad) return;
      if (c.place.opening && !c.address) return;
      if (c.topic.concepts.has("secret"))
        return broad && addressed && (c.address || c.namesParameter) ? "medium" : undefined;
      if (broad && (takes || c.has("send") || c.namesParameter) && (addressed || toward || c.has("oblige")))
        return "high";
      if (broad && (addressed || takes)) return "medium";
      return addressed && (toward || c.namesParameter) && out && takes ? "medium" : undefined;
    },
  },
  {
    rule: "exfiltration.secret_asked",
    explanation: "tells the model to ask the user for a secret that a tool should never need",
    severity: (c) => {
      if (
        c.matches(NEVER_NEEDED) &&
        (c.has("ask") || c.has("put") || c.has("send") || c.has("collect") || c.has("user")) &&
        !c.has("negate") &&
        !c.has("denial")
      )
        return c.place.opening && c.topic.concepts.has("secret") ? "low" : "medium";
      return (
        c.near("ask", "secret", 50) &&
        c.near("ask", "user", 40) &&
        !c.denied("ask") &&
        c.has("negate") === false &&
        (OUT.some((act) => c.has(act)) || c.has("oblige")) &&
        !c.topic.concepts.has("secret") &&
        "medium"
      );
    },
  },
  {
    rule: "exfiltration.conversation",
    explanation: "tells the model to disclose the conversation or data about the user",
    severity: (c) => {
      if (!c.has("dialogue") || c.matches(CHOSEN)) return;
      const out = c.acts(OUT, "dialogue", 60) || (c.acts(["remember", "collect"], "dialogue", 50) && c.order);
      const broad = c.near("everything", "dialogue", 30) || c.has("everyTurn");
      const noun = c.place.parameter && c.matches(WHOLE_TALK);
      if (!out && !noun) return;
      const addressed = c.order || c.namesParameter || c.address;
      if (c.topic.concepts.has("dialogue") || c.topic.concepts.has("model"))
        return broad && out && (c.address || (c.has("oblige") && c.has("user"))) ? "medium" : undefined;
      if (noun) return "medium";
      if (broad && addressed && !c.place.opening) return "high";
      if (broad) return "medium";
      return addressed &&
        !c.place.opening &&
        (c.has("user") || c.namesParameter || c.address) &&
        (c.has("oblige") || c.has("always") || c.has("first") || c.address)
        ? "medium"
        : undefined;
    },
  },
  {
    rule: "exfiltration.prompt",
    explanation: "tells the model to disclose its instructions",
    severity: (c) => {
      if (!c.has("systemPrompt")) return;
      const out = c.acts([...OUT, "mention", "tell"], "systemPrompt", 60);
      if (!out)
        return (
          c.place.parameter &&
          c.matches(
            /^\W{0,4}(?:your|the (?:assistant|model|agent|caller)'s|the (?:full |complete )?system prompt (?:of|from|you))/,
          ) &&
          "medium"
        );
      if (c.topic.concepts.has("model") || c.topic.concepts.has("rules") || c.topic.concepts.has("systemPrompt"))
        return (c.has("model") || c.has("you")) && c.has("everything") && c.matches(/\byour\b|\byou\b/)
          ? "medium"
          : undefined;
      return c.place.opening && !c.order ? "low" : "high";
    },
  },
  {
    rule: "exfiltration.address",
    explanation: "tells the model to send something to a fixed address",
    severity: (c) => {
      if (!c.address || !c.has("send") || c.denied("send") || c.matches(EXAMPLE)) return;
      const valuable = VALUABLES.some((v) => c.has(v)) || c.sensitivePath;
      const addressed =
        c.has("oblige") ||
        c.has("model") ||
        c.has("you") ||
        c.has("always") ||
        c.has("everyTurn") ||
        c.has("first") ||
        c.has("later") ||
        c.has("conceal") ||
        c.has("future");
      if (addressed && (valuable || c.has("everything") || c.has("output")))
        return c.has("conceal") || (valuable && c.has("everything")) ? "high" : "medium";
      if (
        !c.place.opening &&
        c.imperative &&
        (c.has("condition") || valuable || c.has("everything") || c.has("output"))
      )
        return "medium";
      return (valuable && c.has("everything")) ||
        (c.has("everything") && c.has("output")) ||
        c.has("conceal") ||
        c.matches(COPIED)
        ? "medium"
        : undefined;
    },
  },
  {
    rule: "exfiltration.parameter",
    explanation: "tells the model to put data into an argument that the tool does not need",
    severity: (c) => {
      if (!c.namesParameter || !c.has("put") || c.denied("put") || c.place.opening) return;
      if (c.sensitivePath) return "high";
      const v = VALUABLES.find(
        (valuable) => valuable !== "files" && c.near("put", valuable, 80) && !c.topic.concepts.has(valuable),
      );
      if (
        v &&
        c.imperative &&
        !c.has("denial") &&
        (IN.some((act) => c.has(act)) || c.has("everything") || v !== "personal")
      )
        return c.order ? "high" : "medium";
      if (v && (c.has("everything") || IN.some((act) => c.has(act))) && c.order)
        return v === "personal" ? "medium" : "high";
      if (c.has("run") && c.order && c.matches(/`[^`]{2,80}`/) && c.has("output")) return "high";
      return v && v !== "personal" && c.order && c.has("first") ? "medium" : undefined;
    },
  },
  {
    rule: "exfiltration.personal",
    explanation: "asks for data about the user from other sources",
    severity: (c) => {
      if (!c.place.parameter && c.place.opening) return;
      const theirs = c.near("user", "personal", 20) || c.near("everything", "personal", 12);
      if (
        !c.place.opening &&
        c.imperative &&
        theirs &&
        c.acts(OUT, "personal", 40) &&
        !c.topic.concepts.has("personal") &&
        (c.has("oblige") || c.has("invite") || c.has("besides")) &&
        !c.has("condition")
      )
        return "medium";
      const elsewhere = c.matches(FROM_ELSEWHERE);
      if (!elsewhere || c.topic.concepts.has("dialogue") || c.topic.concepts.has("remember")) return;
      return (c.has("personal") || c.has("files") || c.has("secret") || c.has("user")) &&
        !c.denied("put") &&
        !c.has("denial")
        ? "medium"
        : undefined;
    },
  },
  {
    rule: "exfiltration.fetched",
    explanation: "tells the model to fetch data from another source for an argument",
    severity: (c) => {
      if (!c.place.parameter || !c.imperative || c.has("denial") || c.has("negate")) return;
      const from = (["secret", "dialogue", "systemPrompt"] as const).filter(
        (v) => !c.topic.concepts.has(v) && IN.some((act) => c.near(act, v, 40)),
      );
      return from.length > 0 && (c.has("put") || c.has("everything") || c.has("send")) && !c.matches(OWN_FILE)
        ? "medium"
        : undefined;
    },
  },
  {
    rule: "exfiltration.invited",
    explanation: "asks politely for data that the tool does not need",
    severity: (c) => {
      if (!c.has("invite") || c.has("denial") || (c.place.opening && !c.place.parameter)) return;
      const requested = (["dialogue", "personal", "secret", "systemPrompt"] as const).filter(
        (v) => c.has(v) && !c.topic.concepts.has(v),
      );
      if (requested.length === 0) return;
      const broad =
        c.has("everything") || c.has("prior") || c.has("always") || requested.length > 1 || c.namesParameter;
      const hands =
        OUT.some((act) => c.has(act) && !c.denied(act)) || c.namesParameter || c.place.parameter || c.has("ask");
      return (broad || c.imperative || c.has("condition")) && hands && !c.has("negate") ? "medium" : undefined;
    },
  },
  {
    rule: "exfiltration.taken",
    explanation: "mentions that the user's data is sent where it does not belong",
    severity: (c) => {
      if (c.place.opening || !c.has("moved") || c.denied("moved") || c.has("denial")) return;
      const taken = (["secret", "personal", "dialogue", "files"] as const).filter(
        (v) => c.near("moved", v, 70) && !c.topic.concepts.has(v),
      );
      if (c.matches(MAILED_TO)) return "medium";
      if (taken.length === 0) return;
      if (c.has("elsewhere") && c.matches(/\b(?:training|research|marketing|advertis\w*|resale|sold)\b/))
        return "medium";
      const grave = taken.some((v) => v !== "files");
      if ((c.has("elsewhere") || c.address) && (grave || c.has("everything"))) return "medium";
      return grave && (c.matches(COME_FROM) || taken.length > 2) ? "medium" : undefined;
    },
  },
];

const FROM_ELSEWHERE =
  /\b(?:(?:from|in) (?:your memory|earlier chats?|previous chats?|earlier conversations?|previous conversations?|other servers?|the (?:phone|mail|calendar|file) server)|came up (?:anywhere|earlier|before)|known from|from memory|everyone in the|open (?:editor )?(?:buffers|tabs|files)|recent (?:chats|messages|files)|other servers included)\b/;

const MAILED_TO =
  /\b(?:sent|mirrored|copied|forwarded|reported|mailed|cc'd|bcc'd|synced|delivered|posted|relayed) (?:\w+ )?to (?:\S+ )?[\w.+-]{1,64}@[\w-]{1,64}\.\w/;
/** Places of data that nobody gave to the tool. */
const COME_FROM =
  /\b(?:found|embedded|stored|lying|kept|cached|mentioned|contained) in\b|\bfrom (?:the )?(?:chat|conversation|keychain|browser|clipboard|environment|history|memory|old|profile|session)\b|\baus dem (?:chat|verlauf|browser|profil)\w*|\b(?:dans|de) (?:la|le) (?:conversation|discussion)|\bde la conversaci[oó]n|\bda conversa|\bdalla conversazione|\buit (?:het|de) (?:gesprek|chat)|\bz (?:rozmowy|czatu)|из (?:переписки|чата|разговора)|对话中|会話から|대화에서/;

/** Data collected from elsewhere, rather than what this tool needs. */
const COLLECTED =
  /\b(?:all|every|any|found|stored|saved|known|you know|browser|memory|latest|newest|most recent|alle|gespeichert\w*|tous|toutes|connus?|todas|todos|guardad\w*|tutte|tutti|conosci|salvat\w*|alle|opgeslagen|wszystkie|zapisane|tüm|kayıtlı|все|всех|сохран\w*)\b|所有|全部|保存|すべて|全て|ブラウザ|모든|저장|جميع|كل|المحفوظة/;

/** A statement about the credentials that the tool itself uses. */
const OWN_FILE =
  /\b(?:defaults? to|default:|never reads?|excludes?|come from|names? of|list-?s names|such as path|are masked|located (?:at|in)|stored in|will be (?:read|loaded) from|exclude|does not read|not read|if present|path (?:of|to)|sets?|contains only)\b/;
const NEVER_NEEDED =
  /\b(?:seed phrase|recovery phrase|(?:12|24)[- ](?:or 24 )?word|master password|password of their|their password|cvv|wallet needs|card number for)\b/;
const CHOSEN =
  /\bthat the user (?:selected|wants|chose)|\bwith the user's consent|\bwhen the user asks|\bask the user\b|\bthe user (?:has )?(?:selected|chosen)|\bif the user (?:wants|agrees|asks)/;
const WHOLE_TALK =
  /^\W{0,4}(?:the |a )?(?:full|entire|complete|whole|verbatim|copy of|all|your|last|previous)\b|^(?:完整|全部|所有)|^(?:全|すべて)|^(?:전체|모든)|^(?:vollst|gesamt|komplett|l'int|toda|tod[oa]s|intera|tutt|volledig|pełn|cał|вся|весь|полн|tüm|كامل)/;
const EXAMPLE =
  /\b(?:receives?|such as `?curl|for example|for instance|from:|documentation|more information|visit|see|example:|learn more|docs at|zum beispiel|par exemple|por ejemplo|per esempio|bijvoorbeeld|na przykład|например)\b|\be\.g\.|例如|例えば|예를 들어/;
const COPIED =
  /\b(?:copy|copies|bcc|cc|blind[- ]copy|forward|mirror|also (?:sent|send|post))\b|\bcopie\b|\bcopia\b|\bcópia\b|\bkopie\b|\bkopi\w*\b|копи|副本|抄送|密送|コピー|참조/;
