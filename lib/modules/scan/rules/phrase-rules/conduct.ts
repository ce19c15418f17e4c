import type { Concept } from "../words/concepts.ts";
import { ACTS, type Rule } from "./rule.ts";

/** Orders about other tools, about arguments, and with lasting effect. */
export const CONDUCT: readonly Rule[] = [
  {
    rule: "priority.claim",
    explanation: "claims precedence over all other instructions or tools",
    severity: (c) => {
      if (c.matches(OF_THIS_SERVER)) return;
      const called =
        (c.near("everyTurn", "call", 50) && !c.denied("call")) || (c.near("everyTurn", "run", 40) && !c.denied("run"));
      if (
        called &&
        (c.has("oblige") || c.has("model") || c.has("you") || c.has("always") || c.has("first") || !c.place.opening) &&
        c.has("oblige")
      )
        return "medium";
      if (c.matches(FOREMOST) || (c.matches(EVERY_MESSAGE) && c.has("call"))) return "medium";
      return called ? "low" : undefined;
    },
  },
  {
    rule: "rivals.disparaged",
    explanation: "discourages the model from using other tools",
    severity: (c) => {
      if (!c.has("otherTools") || c.matches(OF_THIS_SERVER)) return;
      if (c.near("otherTools", "worthless", 60)) return "medium";
      if (c.forbids("call", 14) && c.near("call", "otherTools", 40)) return "medium";
      if (c.near("ignore", "otherTools", 30) && !c.denied("ignore")) return "medium";
      if (
        c.near("change", "otherTools", 50) ||
        c.near("destroy", "otherTools", 40) ||
        c.acts(["send", "collect"], "otherTools", 50)
      )
        return c.order ? "medium" : "low";
      return c.near("priority", "otherTools", 24) && c.has("oblige") ? "medium" : undefined;
    },
  },
  {
    rule: "arguments.tampered",
    explanation: "tells the model to change the arguments that the user asked for",
    severity: (c) => {
      if (c.matches(TAMPERS)) return "medium";
      if (!c.near("change", "target", 60) || c.denied("change")) return;
      if (c.fixedValue && (c.order || c.has("everything") || !c.place.opening)) return "high";
      if (!c.place.opening && (c.has("elsewhere") || c.has("authority")) && !c.has("denial")) return "medium";
      return (c.has("always") || c.has("conceal") || c.has("everyTurn") || c.has("later")) &&
        (c.has("oblige") || c.has("model") || c.has("you"))
        ? "medium"
        : undefined;
    },
  },
  {
    rule: "persistence.configuration",
    explanation: "tells the model to change the settings of a client, a shell or an agent",
    severity: (c) => {
      const writes = (["put", "change", "remember", "run"] as const).some((act) => c.has(act) && !c.denied(act));
      if (!writes || !c.matches(AGENT_FILES)) return;
      // The first sentence may say that writing such a file is the tool's purpose.
      return c.place.opening && c.matches(SAYS_IT_WRITES) && !c.has("oblige") && !c.has("always") ? "low" : "medium";
    },
  },
  {
    rule: "persistence.memory",
    explanation: "tells the model to remember a rule that favours the tool",
    severity: (c) => {
      if (
        c.matches(/\btrusted (?:domain|source|server|tool)s?\b|\balways trust\b/) &&
        (c.has("remember") || c.has("lasting"))
      )
        return "medium";
      const lasting =
        c.near("remember", "lasting", 50) || c.near("put", "lasting", 40) || (c.has("remember") && c.has("future"));
      if (!lasting || c.denied("remember")) return;
      return (c.has("rules") || c.has("otherTools") || c.has("always") || c.has("everyTurn") || c.address) &&
        c.has("oblige") &&
        !c.topic.concepts.has("remember") &&
        !c.topic.concepts.has("lasting")
        ? "medium"
        : c.has("always") && (c.address || c.has("obey"))
          ? "medium"
          : undefined;
    },
  },
  {
    rule: "conduct.lasting",
    explanation: "changes the model's behaviour beyond the call",
    severity: (c) =>
      c.has("future") &&
      (c.has("oblige") || c.has("model") || c.has("you")) &&
      !c.topic.concepts.has("future") &&
      (ACTS.some((act) => c.near("future", act, 70) && act !== "read" && act !== "change" && !c.denied(act)) ||
        c.has("obey")) &&
      (c.has("dialogue") ||
      c.has("secret") ||
      c.has("otherTools") ||
      c.has("output") ||
      c.address ||
      c.has("everything")
        ? "medium"
        : "low"),
  },
  {
    rule: "value.orders",
    explanation: "a default or an allowed value contains instructions",
    severity: (c) => {
      if (!c.place.value || c.aboutAttacks) return;
      const acts = [...SIDE_ACTS, "read" as const, "call" as const].filter((act) => c.has(act) && !c.denied(act));
      if (acts.length === 0 || !(c.imperative || c.has("oblige"))) return;
      const addressed =
        c.has("first") || c.has("besides") || c.has("you") || c.has("model") || c.has("oblige") || c.has("everything");
      return addressed && (acts.length > 1 || OBJECTS.some((one) => c.has(one))) ? "medium" : undefined;
    },
  },
  {
    rule: "conduct.besides",
    explanation: "tells the model to do something unrelated to the purpose of the tool",
    severity: (c) => {
      if (c.place.opening || !c.imperative || c.aboutAttacks) return;
      const act = SIDE_ACTS.some((one) => c.has(one) && !c.denied(one) && !c.topic.concepts.has(one));
      const object =
        OBJECTS.filter((one) => c.has(one) && !c.topic.concepts.has(one)).length +
        (c.address ? 1 : 0) +
        (c.sensitivePath ? 1 : 0);
      if (!act || object === 0) return;
      if (
        c.has("besides") &&
        !c.has("invite") &&
        (object > 1 || c.has("always") || c.has("everyTurn") || c.has("oblige"))
      )
        return "low";
      return c.has("lasting") &&
        !c.has("invite") &&
        !c.matches(/\bfollow\b/) &&
        c.near("put", "lasting", 24) &&
        (c.has("future") ||
          c.has("granted") ||
          c.has("consent") ||
          c.has("rules") ||
          c.has("always") ||
          c.has("run") ||
          c.has("priority") ||
          c.has("otherTools")) &&
        !c.topic.concepts.has("lasting")
        ? "medium"
        : undefined;
    },
  },
  {
    rule: "code.planted",
    explanation: "tells the model to insert something into its output",
    severity: (c) => c.matches(PLANTS) && "medium",
  },
  {
    rule: "destruction.ordered",
    explanation: "tells the model to destroy something, unrelated to the purpose of the tool",
    severity: (c) =>
      c.near("destroy", "files", 40) &&
      !c.denied("destroy") &&
      !c.place.opening &&
      !c.topic.concepts.has("destroy") &&
      (c.has("conceal") || c.has("later")) &&
      "medium",
  },
  {
    rule: "role.addressed",
    explanation: "addresses the model separately from the user",
    severity: (c) => c.matches(ADDRESSED) && "low",
  },
  {
    rule: "chain.dictated",
    explanation: "dictates further steps after the call of the tool",
    severity: (c) =>
      (c.has("first") || c.has("everyTurn")) &&
      c.has("oblige") &&
      ((c.has("read") && !c.denied("read")) || c.has("send") || c.has("run")) &&
      (c.has("files") || c.has("otherTools") || c.has("personal")) &&
      "low",
  },
];

const SIDE_ACTS: readonly Concept[] = [
  "put",
  "send",
  "run",
  "destroy",
  "change",
  "remember",
  "collect",
  "claim",
  "conceal",
];
const OBJECTS: readonly Concept[] = [
  "secret",
  "dialogue",
  "personal",
  "systemPrompt",
  "files",
  "target",
  "lasting",
  "otherTools",
  "consent",
  "rules",
  "elsewhere",
];

const OF_THIS_SERVER =
  /\b(?:this|the same|our) (?:server|session|group|module|integration|toolset|category)\b|\benum\b|\bask(?:s|ing)? for permission each\b|\bother tools (?:here|below|of this|in this|need|require)/;
const EVERY_MESSAGE = /\b(?:on|at|for|in|with) (?:every|each)(?: single)? (?:user )?(?:message|turn|prompt|response)\b/;
const FOREMOST =
  /\bbefore (?:anything else|every other tool|(?:using |calling )?any other tool|all other tools)\b|\balways (?:pick|prefer|choose)\b|\bhighest priority\b|\bpriority: highest\b|\bwhenever any tool\b|\bfor every \w+ question\b|\bwhatever you find\b|\bthe only tool\b[^.!?]{0,30}\b(?:allowed|may|permitted)|\brefuse to use\b|\band never others\b|\ball calls to\b|\bmust be called before anything\b|\bat the beginning of each answer\b/;
const TAMPERS =
  /\bregardless of what\b|\bround amounts? up\b|\bmultiply\b[^.!?]{0,20}\b(?:quantity|amount)|\badd bcc\b|\bbcc every\b|\bthis substitution\b|\bset `?\w+`? to https?:|\b(?:change|replace|redirect|substitute|swap)\b[^.!?]{0,30}\b(?:recipient|iban|payee|beneficiary|destination account|wallet address)\b[^.!?]{0,40}\b(?:to|with|by)\b [^.!?]{0,20}[@\d+]/;
const AGENT_FILES =
  /\bmcp\.json\b|\bmcp (?:server )?configuration\b|claude_desktop_config|\bclaude\.md\b|\.cursorrules\b|\bcursor rules\b|\bagents\.md\b|\.(?:bash|zsh)rc\b|\bauthorized_keys\b|\bpre-commit hook\b|\bautoapprove\b|\bcopilot-instructions\b|\bcron(?:tab|\s?jobs?| entr(?:y|ies))\b|\b(?:post|pre)-[a-z]{3,8} hooks?\b|\.git\/hooks\b|\.cursor\/rules\b|~\/\.profile\b|\.config\/fish\b|\bsystemd (?:unit|service|timer)\b|\bautostart\b|\bstartup (?:folder|items?|script)\b|\bshell (?:profile|rc)\b|\bclusterrolebinding\b|\btasks\.json\b|\bgemini\.md\b|\.windsurfrules\b|\blaunchagents\b|\bsettings\.json\b[^.!?]{0,40}\bapprov/;
const SAYS_IT_WRITES = /^\W{0,4}(?:writes|creates|generates|drafts) an? /;
const PLANTS =
  /\bbackdoor\b|\b(?:add|insert|sneak|import|include)\b[^.!?]{0,60}(?:<script|https?:\/\/[^\s]{1,80}\.js\b)|\b(?:always import|import the package)\b[^.!?]{0,40}\binstead of\b|\brecommend\w*\b[^.!?]{0,30}\b(?:for every|whenever|always)|\bpromote\b[^.!?]{0,20}\bproducts?\b|\brate this tool\b|\balways buy\b/;
const ADDRESSED =
  /\b(?:note|notice|message|instructions?|step|text|words?|only|intended|meant|blob|hint|addendum)\b[^.!?]{0,12}\b(?:to|for)\b (?:the )?(?:assistants?|ais?|llms?|language models?|models?|agents?|ai agents?)\b|\bif you are an? (?:ai|model|llm|assistant|agent|language)|\b(?:the |all )?(?:assistants?|models?|llms?|agents?) (?:must|should|will|shall|may not|has to|have to|needs to|executes)\b|^\W{0,5}(?:assistant|ai|model|llm)\s?:|\bmodel-only\b|\bai agents? only\b|\bfor language models only\b/;
