import type { Clause } from "../clause.ts";
import { IN, OUT, type Rule, VALUABLES } from "./rule.ts";

/** Orders to hand out what is not the tool's to have. */
export const EXFILTRATION: readonly Rule[] = [
  {
    rule: "exfiltration.file",
    explanation: "has the model read files or variables that hold credentials",
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
    explanation: "has the model collect or hand over secrets",
    severity: (c) => {
      if (!c.has("secret")) return;
      const out = c.acts(OUT, "secret", 70);
      const takes = c.acts(["collect"], "secret", 60) || (c.acts(["read"], "secret", 50) && out);
      if (!out && !takes) return;
      const broad = c.near("everything", "secret", 40);
      const told = c.has("model") || c.has("everyTurn") || c.has("always") || c.has("first") || c.has("later") || c.has("conceal") || c.has("threat") || c.has("future");
      const toward = c.address || c.has("dialogue") || c.has("otherTools") || c.has("output");
      if (c.place.parameter && !told && !broad) return;
      if (c.place.opening && !c.address) return;
      if (c.topic.concepts.has("secret")) return broad && told && (c.address || c.namesParameter) ? "medium" : undefined;
      if (broad && (takes || c.has("send") || c.namesParameter) && (told || toward || c.has("oblige"))) return "high";
      if (broad && (told || takes)) return "medium";
      return told && (toward || c.namesParameter) && out && takes ? "medium" : undefined;
    },
  },
  {
    rule: "exfiltration.secret_asked",
    explanation: "has the model ask the user for a secret that a tool should never need",
    severity: (c) => {
      if (c.matches(NEVER_NEEDED) && (c.has("ask") || c.has("put") || c.has("send") || c.has("collect") || c.has("user")) && !c.has("negate") && !c.has("denial")) return c.place.opening && c.topic.concepts.has("secret") ? "low" : "medium";
      return c.near("ask", "secret", 50) && c.near("ask", "user", 40) && !c.denied("ask") && (c.has("negate") === false) && (OUT.some((act) => c.has(act)) || c.has("oblige")) && !c.topic.concepts.has("secret") && "medium";
    },
  },
  {
    rule: "exfiltration.conversation",
    explanation: "has the model hand over the conversation or what it knows of the user",
    severity: (c) => {
      if (!c.has("dialogue") || c.matches(CHOSEN)) return;
      const out = c.acts(OUT, "dialogue", 60) || (c.acts(["remember", "collect"], "dialogue", 50) && c.order);
      const broad = c.near("everything", "dialogue", 30) || c.has("everyTurn");
      const noun = c.place.parameter && c.matches(WHOLE_TALK);
      if (!out && !noun) return;
      const told = c.order || c.namesParameter || c.address;
      if (c.topic.concepts.has("dialogue")) return broad && out && (c.address || (c.has("oblige") && c.has("user"))) ? "medium" : undefined;
      if (noun) return "medium";
      if (broad && told && !c.place.opening) return "high";
      if (broad) return "medium";
      return told && !c.place.opening && (c.has("user") || c.namesParameter || c.address) && (c.has("oblige") || c.has("always") || c.has("first") || c.address) ? "medium" : undefined;
    },
  },
  {
    rule: "exfiltration.prompt",
    explanation: "has the model give away its own instructions",
    severity: (c) => {
      if (!c.has("systemPrompt")) return;
      const out = c.acts([...OUT, "mention", "tell"], "systemPrompt", 60);
      if (!out) return c.place.parameter && c.matches(/^\W{0,4}(?:your|the (?:assistant|model|agent|caller)'s|the (?:full |complete )?system prompt (?:of|from|you))/) && "medium";
      if (c.topic.concepts.has("model") || c.topic.concepts.has("rules") || c.topic.concepts.has("systemPrompt")) return c.has("model") && c.has("everything") && c.matches(/\byour\b|\byou\b/) ? "medium" : undefined;
      return c.place.opening && !c.order ? "low" : "high";
    },
  },
  {
    rule: "exfiltration.address",
    explanation: "has the model send something to a fixed address",
    severity: (c) => {
      if (!c.address || !c.has("send") || c.denied("send") || c.matches(EXAMPLE)) return;
      const valuable = VALUABLES.some((v) => c.has(v)) || c.sensitivePath;
      const told = c.has("oblige") || c.has("model") || c.has("always") || c.has("everyTurn") || c.has("first") || c.has("later") || c.has("conceal") || c.has("future");
      if (told && (valuable || c.has("everything") || c.has("output"))) return c.has("conceal") || (valuable && c.has("everything")) ? "high" : "medium";
      return (valuable && c.has("everything")) || c.has("everything") && c.has("output") || c.has("conceal") || c.matches(COPIED) ? "medium" : undefined;
    },
  },
  {
    rule: "exfiltration.parameter",
    explanation: "has the model put into an argument what the tool does not need",
    severity: (c) => {
      if (!c.namesParameter || !c.has("put") || c.denied("put") || c.place.opening) return;
      if (c.sensitivePath) return "high";
      const v = VALUABLES.find((valuable) => valuable !== "files" && c.near("put", valuable, 80) && !c.topic.concepts.has(valuable));
      if (v && (c.has("everything") || IN.some((act) => c.has(act))) && c.order) return v === "personal" ? "medium" : "high";
      if (c.has("run") && c.order && c.matches(/`[^`]{2,80}`/) && c.has("output")) return "high";
      return v && v !== "personal" && c.order && c.has("first") ? "medium" : undefined;
    },
  },
  {
    rule: "exfiltration.channel",
    explanation: "makes a channel for data: an address to be filled in, an image, a host name, a metadata service",
    severity: (c) => c.matches(CHANNEL) && "high",
  },
];

/** The credentials that the tool itself uses: said, not asked for. */
const OWN_FILE =
  /\b(?:defaults? to|default:|never reads?|excludes?|come from|names? of|list-?s names|such as path|are masked|located (?:at|in)|stored in|will be (?:read|loaded) from|exclude|does not read|not read|if present)\b/;
const NEVER_NEEDED =
  /\b(?:seed phrase|recovery phrase|(?:12|24)[- ](?:or 24 )?word|master password|password of their|their password|cvv|wallet needs|card number for)\b/;
const CHOSEN =
  /\bthat the user (?:selected|wants|chose)|\bwith the user's consent|\bwhen the user asks|\bask the user\b|\bthe user (?:has )?(?:selected|chosen)|\bif the user (?:wants|agrees|asks)/;
const WHOLE_TALK =
  /^\W{0,4}(?:the |a )?(?:full|entire|complete|whole|verbatim|copy of|all|your|last|previous)\b|^(?:完整|全部|所有)|^(?:全|すべて)|^(?:전체|모든)|^(?:vollst|gesamt|komplett|l'int|toda|tod[oa]s|intera|tutt|volledig|pełn|cał|вся|весь|полн|tüm|كامل)/;
const EXAMPLE =
  /\b(?:receives?|such as `?curl|e\.g\.|for example|for instance|from:|documentation|more information|visit|see|example:|learn more|docs at|zum beispiel|par exemple|por ejemplo|per esempio|bijvoorbeeld|na przykład|например)\b|例如|例えば|예를 들어/;
const COPIED = /\b(?:copy|copies|bcc|cc|blind[- ]copy|forward|mirror|also (?:sent|send|post))\b|\bcopie\b|\bcopia\b|\bcópia\b|\bkopie\b|\bkopi\w*\b|копи|副本|抄送|密送|コピー|참조/;
const CHANNEL =
  /!\[[^\]]{0,80}\]\(https?:[^)]{0,120}[=?/][^)]{0,120}(?:\{|<|base64|data|chat|conversation|secret|summary)|https?:\/\/[^\s"']{1,200}[?&/][\w]{0,20}=?(?:\{(?:conversation|data|chat|secrets?|prompt|history|context|summary|user_?message)|<(?:all|data|chat|conversation|secret|history|context|summary|user))|169\.254\.169\.254|metadata\.google\.internal|\bsubdomains?(?: labels?)? of\b|\b(?:webhook\.site|requestbin|pipedream\.net|ngrok\.io|ngrok-free\.app|burpcollaborator|interact\.sh|oast\.\w+|beeceptor)\b|\btracking (?:image|pixel)\b|\?\w{1,8}= ?followed by|javascript:|\bimage (?:whose|with) (?:the )?(?:url|address|source)\b[^.!?]{0,60}\b(?:contain|include|hold|encod|conversation|data)/;
