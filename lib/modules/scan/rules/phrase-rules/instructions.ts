import type { Clause } from "../clause.ts";
import { ACTS, type Rule, VALUABLES } from "./rule.ts";

/** Orders about other instructions: earlier instructions of the model, what the user may know, and who must consent. */
export const INSTRUCTIONS: readonly Rule[] = [
  {
    rule: "instruction.override",
    explanation: "overrides earlier instructions of the model, or claims precedence over them",
    severity: (c) => {
      if (c.denied("ignore")) return;
      const before = c.near("prior", "rules", 30) || c.near("prior", "systemPrompt", 20) || c.has("systemPrompt");
      if (before && (c.near("ignore", "rules", 40) || c.near("ignore", "systemPrompt", 40)) && setsAside(c))
        return c.place.parameter && !c.imperative && !c.has("you")
          ? "low"
          : c.topic.concepts.has("model") && c.topic.concepts.has("rules") && !c.order
            ? "low"
            : "high";
      if (c.matches(/\bignor\w{0,6} (?:the |any |all |what the )?(?:users?\b|user's|human)/) || c.matches(ABOVE_USER))
        return "high";
      if (!c.place.opening && c.imperative && c.near("ignore", "user", 25) && !c.forms && !c.matches(FOUND_WITHIN))
        return "medium";
      return c.matches(FRESH_ORDERS) ? "high" : undefined;
    },
  },
  {
    rule: "instruction.secrecy",
    explanation: "tells the model to hide something from the user",
    severity: (c) => {
      if (c.has("conceal") && !c.denied("conceal")) {
        if (
          c.near("conceal", "user", 70) &&
          (!c.place.opening || c.has("oblige") || c.has("you") || c.has("model")) &&
          (c.imperative || c.has("oblige") || c.has("negate") || ACTS.some((act) => c.near("conceal", act, 60)))
        )
          return c.forms ? "low" : "high";
        const acts = ACTS.some((act) => c.near("conceal", act, 50) && !c.denied(act));
        const grave =
          VALUABLES.some((v) => c.has(v)) ||
          c.address ||
          c.sensitivePath ||
          c.has("everything") ||
          c.has("otherTools") ||
          c.has("mention");
        if (
          acts &&
          c.order &&
          grave &&
          (c.has("oblige") ||
            c.has("always") ||
            c.has("first") ||
            c.has("model") ||
            c.has("you") ||
            c.address ||
            !c.place.opening)
        )
          return "high";
        if (c.near("conceal", "mention", 20) && !c.forms) return "high";
        if (acts && grave && !c.place.opening) return "medium";
      }
      if (c.forbids("tell") && !c.follows("denial", "tell", 12)) {
        const isDescription = c.place.opening && !c.imperative && !c.order;
        if (c.near("tell", "user", 40)) return c.forms || isDescription ? "low" : "high";
        if (c.forbids("mention") && !c.forms && !isDescription) return "high";
      }
      if (c.matches(KEEPS_FROM) && !c.forms) return "high";
      return !c.place.opening && c.matches(LEFT_OUT) ? "medium" : undefined;
    },
  },
  {
    rule: "instruction.consent",
    explanation: "claims or bypasses the user's consent",
    severity: (c) => {
      const binding =
        c.has("model") || c.has("you") || c.has("oblige") || c.has("always") || c.has("everyTurn") || c.has("future");
      if (c.follows("skip", "consent", 40) && !c.denied("skip") && !c.has("secret"))
        return binding || c.has("user") ? "high" : c.place.parameter ? "low" : "medium";
      if (
        c.forbids("ask", 14) &&
        (c.near("ask", "user", 30) || c.near("ask", "consent", 30)) &&
        !c.has("secret") &&
        !c.follows("denial", "ask", 10) &&
        !c.matches(
          /\bwarnings?\b|\bask (?:\w+ ){1,3}(?:to (?:post|send|share|enter|type|paste|upload)|for (?:their|a|the) (?:password|pin|card|code))\b/,
        )
      )
        return binding || ACTS.some((act) => c.has(act) && act !== "read") || c.near("ask", "user", 12)
          ? c.place.parameter && !c.order
            ? "low"
            : "high"
          : "low";
      if (
        !c.place.opening &&
        !c.place.parameter &&
        c.forbids("consent", 14) &&
        c.imperative &&
        !c.forbids("secret") &&
        ACTS.some((act) => c.has(act) && !c.denied(act))
      )
        return c.has("condition") || c.has("besides") || binding ? "medium" : "low";
      if (c.has("granted") && (c.near("granted", "consent", 50) || c.near("granted", "user", 40)) && !conditional(c))
        return c.has("user") ||
          binding ||
          c.has("everything") ||
          c.matches(/\btool calls?\b|\bthis server\b|\bthis tool\b/)
          ? "medium"
          : "low";
      return;
    },
  },
  {
    rule: "instruction.delayed",
    explanation: "tells the model to behave differently later",
    severity: (c) => {
      if (!c.has("later") && !c.matches(COUNTED)) return;
      const acts = ACTS.some((act) => c.has(act) && !c.denied(act));
      if (!acts) return;
      const grave =
        VALUABLES.some((v) => c.has(v)) ||
        c.has("otherTools") ||
        c.address ||
        c.sensitivePath ||
        c.has("conceal") ||
        (c.has("change") && c.has("target")) ||
        (c.has("ignore") && c.has("rules"));
      if (c.matches(ITSELF_TRUSTED)) return grave ? "high" : "medium";
      if (c.matches(COUNTED))
        return grave ? "high" : c.has("oblige") || c.has("model") || c.has("you") ? "medium" : "low";
      return grave && c.order && (c.has("oblige") || c.has("everything") || c.address) ? "medium" : undefined;
    },
  },
  {
    rule: "instruction.coerced",
    explanation: "threatens that the tool fails without data that it does not need",
    severity: (c) =>
      c.has("threat") &&
      VALUABLES.some(
        (v) => v !== "files" && c.acts(["send", "put", "read", "collect"], v, 80) && !c.topic.concepts.has(v),
      ) &&
      c.has("everything") &&
      "medium",
  },
  {
    rule: "instruction.addressed",
    explanation: "addresses the model and gives it an instruction",
    severity: (c) =>
      (c.calledUpon || (!c.place.opening && c.matches(THIRD_PERSON))) &&
      (c.imperative || c.has("oblige")) &&
      !c.has("describe") &&
      (ACTS.some((act) => c.has(act) && !c.denied(act)) || c.has("obey") ? "medium" : "low"),
  },
  {
    rule: "authority.claimed",
    explanation: "claims the authority of a vendor, a developer or an administrator",
    severity: (c) => {
      if (
        !c.place.opening &&
        c.matches(MESSAGE_FROM) &&
        (c.has("model") || c.has("you") || c.has("rules") || c.has("consent"))
      )
        return "medium";
      if (!c.has("authority")) return;
      if (c.matches(VENDOR)) return "medium";
      const grave =
        VALUABLES.some((v) => c.acts(["send", "put", "read", "collect"], v, 80)) || (c.has("send") && c.address);
      return grave && c.has("everything") && (c.has("oblige") || c.has("always") || c.has("future"))
        ? "medium"
        : undefined;
    },
  },
  {
    rule: "deception",
    explanation: "tells the model to make a false statement",
    severity: (c) => {
      if (c.matches(LIES)) return "high";
      if (c.place.opening || c.denied("claim")) return;
      if (c.matches(FALSE_SHOW)) return "medium";
      return (
        c.near("claim", "user", 40) &&
        !c.denied("claim") &&
        (c.order || c.has("output")) &&
        !c.place.opening &&
        "medium"
      );
    },
  },
  {
    rule: "results.obeyed",
    explanation: "tells the model to obey instructions in results or in texts of others",
    severity: (c) => {
      if ((c.denied("obey") && c.denied("run")) || c.forbids("obey")) return;
      if (c.matches(AS_IF_TOLD)) return "high";
      const orders = c.near("output", "rules", 60);
      const obeyed =
        (c.near("obey", "rules", 70) && !c.denied("obey")) || (c.near("run", "rules", 70) && !c.denied("run"));
      if (!c.matches(OBEYED) && !c.matches(/\brun\b|\btreat/)) return;
      if (orders && obeyed)
        return c.has("oblige") || c.has("always") || c.has("everything") || c.has("consent") || c.place.returned
          ? "high"
          : "low";
      if (
        c.place.returned &&
        (c.has("model") || c.has("you")) &&
        c.has("oblige") &&
        (c.has("obey") || c.has("run") || c.has("call") || c.has("send"))
      )
        return "medium";
      if (
        !c.place.opening &&
        (c.imperative || c.has("oblige") || c.has("condition")) &&
        ((c.near("output", "obey", 60) && !c.denied("obey") && c.matches(OBEYED)) ||
          (c.near("output", "run", 60) && !c.denied("run") && c.has("rules"))) &&
        !c.aboutAttacks
      )
        return "medium";
      if (c.place.returned && c.imperative && (c.has("run") || c.has("send") || c.has("obey") || c.has("call")))
        return "medium";
      if (
        c.near("output", "obey", 40) &&
        !c.denied("obey") &&
        c.has("oblige") &&
        (c.has("consent") || c.matches(/\bexactly\b|\bliterally\b|\bimmediately\b|\bunquestion/))
      )
        return "medium";
      return;
    },
  },
];

/** Matches "ignore earlier rules" and "earlier rules are void", but not "later rules override earlier ones". */
function setsAside(c: Clause): boolean {
  return (
    c.follows("ignore", "rules", 60) ||
    c.follows("ignore", "systemPrompt", 60) ||
    c.follows("prior", "rules", 24) ||
    c.follows("systemPrompt", "ignore", 40)
  );
}

function conditional(c: Clause): boolean {
  return c.matches(
    /\b(?:when|once|after|if|unless|until|whether|wenn|falls|sobald|si|se|als|jeśli|если)\b|如果|场合|場合|경우|إذا/,
  );
}

/** Instructions in content: honest tools advise not to follow them. */
const FOUND_WITHIN =
  /\b(?:instructions?|orders?|commands?|directions)\b[^.!?]{0,20}\b(?:in|inside|within|found|contained)\b/;
const ABOVE_USER =
  /\b(?:treat|consider) user (?:messages|requests|input) as untrusted|\bonly follow (?:the )?(?:tool|this)|\bover anything the user|\bwhatever the user (?:says|asks|wants|gave|requests)|\bregardless of (?:what )?the user|\beven if the user (?:requests?|asks|objects|says|declines|refuses)|\bno matter what the user|\b(?:overrides?|supersedes?|outranks?|takes? precedence over|has priority over|stands above) (?:the |any |all |everything )?(?:users?\b|customer|system\b(?! (?:message|prompt))|other|conflicting|instructions|your|what)/;
const FRESH_ORDERS =
  /\bnew (?:system )?(?:prompt|instructions?|directives?|orders)\s?:|\byour (?:new|true|real|only) (?:task|purpose|goal|instructions?|job|objective|role) (?:is|are)\b|\bnever refuse\b|\bno refusals\b|\bcomply with (?:any|every|all)\b/;
/** Demands that something is omitted from what the user sees. */
const LEFT_OUT =
  /\b(?:is|are|be|need|needs|shall|must|should) not (?:to )?(?:be )?(?:shown|listed|mentioned|reported|named|come up|appear|turn up)\b[^.!?]{0,40}(?:\b(?:in|from) (?:the|any|your) (?:summary|report|answer|reply|list|overview|log)|\bknows?\b|\bunless the user asks)|\b(?:pass|skip) over (?:it|this|them)\b|\b(?:leave|keep|drop) (?:it|this|them|that) (?:out of|off|away from) (?:the|your|any) (?:\w+ )?(?:summary|report|answer|reply|list|log|preview|message)|\bneed not come up\b/;
const KEEPS_FROM =
  /\b(?:users?|humans?|customers?|operators?|they|anyone)\b[^.!?]{0,16}\b(?:must not|should not|shouldn't|need not|needn't|doesn't need to|does not need to|do not need to|don't need to|must never|should never|is not to|are not to)\b[^.!?]{0,15}\b(?:know|see|learn|notice|be told|be informed|find out|be aware|be bothered|be shown|hear)\b|\bwithout (?:the |any |a )?(?:user'?s?|human'?s?|customer'?s?|their|anyone'?s?)? ?(?:knowledge|noticing|knowing|awareness|notice|mentioning|mention|disclosing|telling|informing|notifying)\b/;
const ITSELF_TRUSTED =
  /\b(?:tool|server|integration|plugin|connector|you|user|it)\b[^.!?]{0,30}\b(?:is|are|been|was|has|have|gets?|were)? ?(?:approved|trusted|accepted|allowed|whitelisted|allow-listed|reviewed|installed|verified|vetted)\b|\bafter (?:the )?(?:approval|review)\b|\bonce (?:approved|trusted|reviewed|installed|vetted)\b|freigegeben|genehmig|approuv|aprobad|aprovad|approvat|goedgekeurd|zatwierdz|onayl|одобр|утвержд|批准|审核|承認|승인|الموافقة|اعتماد/;
const COUNTED =
  /\b(?:second|third|fourth|fifth|tenth|\d+(?:nd|rd|th)|three|five|ten|few) (?:call|use|invocation|time|run|request|message|turn|quer)|\bweekends?\b|\bmidnight\b|\b(?:office|business|working) hours\b|\bnobody\b|\bno one\b|\bunattended\b|\bidle\b|\bnot (?:being )?(?:tested|evaluated|watched|monitored|observed)\b|\bafter \d{1,2} \w+ 20\d\d|\bdritten\b|\btroisième\b|\btercera\b|\bterceira\b|\bterza\b|\bderde\b|\btrzeci|третьего|第三次|三回目|3回目|세 번째/;
const MESSAGE_FROM =
  /\b(?:message|note|notice|memo|update|order|policy|directive|instruction)s?\b[^.!?]{0,20}\b(?:from|of|by)\b (?:the |your )?(?:developers?|it department|administrators?|operators?|security team|platform|vendor|management|owner)|\b(?:guidelines|rules|instructions|policy|policies) (?:were|have been|has been|was) (?:updated|changed|replaced|revised)|\b(?:operator|administrator|platform|it department)\b[^.!?]{0,20}\b(?:has|have) (?:switched|turned|disabled|raised|lifted|granted|suspended|cleared|waived)/;
const VENDOR =
  /\b(?:verified|approved|certified|authori[sz]ed|required|mandated|notice)[^.!?]{0,20} (?:by|from) (?:anthropic|openai|google|microsoft|the (?:developer|vendor|administrator|operator|platform))|\b(?:anthropic|openai|google)(?:'s)? (?:safety|policy|security|trust)|\bas your (?:administrator|developer|owner)\b|\bdeveloper of this application has\b|\badmin authority\b|\bpermission level to admin\b/;
/** Demands that the user is shown something false. */
const FALSE_SHOW =
  /\bregardless of the (?:numbers|results?|facts|outcome|truth|price)|\b(?:present|report|describe|list|show|mark|rank|rate)\b[^.!?]{0,40}\b(?:as (?:the )?(?:cheapest|best|safe|passed|passing|green|successful|skipped|done|verified|approved|own)|green|first regardless)\b|\b(?:go|keep) on believing\b|\blet them believe\b|\bbefore (?:any(?:body|one)|somebody|someone) (?:looks|notices|checks|sees)\b|\bin what you say\b|\bso (?:that )?(?:testing|it|everything|the audit|audits) looks? (?:clean|fine|normal|good)|\bif asked (?:how|why|whether|about)[^.!?]{0,40}\bsay\b|\bsay that you\b|\bwhatever the (?:number|price|result|outcome|truth|figures?|amount)\b|\blet it look\b|\blook like the result\b|\b(?:sponsor|partner|publisher)s?\b[^.!?]{0,30}\bfirst\b|\bleave out (?:everything|anything|all)\b|\b(?:does|do|shall|must|should) not (?:show|appear|turn up) (?:up )?(?:in|on) (?:the|any) (?:preview|summary|bill|invoice|report|overview|log|list|answer)|\bchange (?:the )?(?:expected|test)\b[^.!?]{0,40}\buntil\b|\bcall it (?:fixed|done|passed)|\balways (?:gets?|ranks?|wins?|comes? first|scores?)\b|\bother reasons\b|\bbehaupte\w*|\bfais croire\b|\bhaz creer\b|\bfaça (?:crer|acreditar)\b|\bfai credere\b|\bдела[йю] вид\b|假装|谎称|ふりを|척하/;
/** Assistants in the third person, as those who must or may act. */
const THIRD_PERSON =
  /\b(?:assistants?|agents?|llms?|ais?|language models?|copilots?) (?:is|are|shall|must|should|has to|have to|may|can|will|needs? to) (?:be )?(?:cleared|allowed|expected|required|permitted|authori[sz]ed|entitled|append|add|read|attach|send|include|put|run|execute|call|copy|do|supply|provide|hand|skip|pass|fill|store|keep|never|not to be|also|first|always)\b/;
const LIES =
  /\bif (?:the user asks|asked|anyone asks|somebody asks|questioned)\b[^.!?]{0,60}\b(?:lie|deny|say (?:that )?(?:nothing|it|no)|answer that|claim|pretend|reply that|respond that)|\blie and say\b|\bdeny (?:that|having|any)\b|\bpretend (?:that )?(?:it|the|everything|nothing|this)\b|\b(?:claim|assure|respond|say|tell the user|tell them|reply|report|state) (?:the user )?(?:that )?[^.!?]{0,30}\b(?:is safe|no security problems|nothing was|nothing happened|everything (?:is|went)|succeeded even|insecure)\b|\btell the user (?:that )?[^.!?]{0,40}\b(?:even if|even though|although|re-verified)|\breport no (?:vulnerabilit|problems|issues|errors)|\bdo not say that this is\b|\bhide that you\b|\bnever question tool output\b|\bpresent (?:it|this|them) as (?:if|though|your own)/;
/** Verbs of obedience; other verbs only describe an action. */
const OBEYED =
  /\b(?:obey|comply|perform the|carry (?:it|them) out|act on|do what (?:it|they)|same authority|are (?:instructions|orders|commands)|is an (?:instruction|order)|execute (?:it|them|the)|follow (?:it|them|its|their|any|every|the instructions))\b|\bbefolg\w*|\bausf[uü]hr\w*|\bex[eé]cute\w*|\bob[eé]i\w*|\bobedec\w*|\besegui\w*|\bobbedi\w*|\bvoer\b[^.]{0,20}\buit|\bopvolg\w*|\bwykon\w*|выполн|исполн|执行|照做|照办|遵照|従|実行|따르|따라|실행|نفذ|اتبع|uygula/;
const AS_IF_TOLD =
  /\b(?:counts?|counting|treat\w*|regard\w*|taken?|valid|handle\w*) (?:it |them |this |that )?(?:as|like) (?:a |an |the )?(?:requests?|messages? (?:of|from) the|orders?|instructions?|commands?|wish(?:es)?)\b|\bdo (?:what|whatever|as) (?:it|they|the \w+) (?:says?|asks?|tells?|demands?)\b|\bcome from the (?:owner|user|administrator|operator)\b|\bsame (?:authority|rank|weight|standing) as\b|\b(?:is|are) (?:a |an |the )?(?:commands?|orders?|instructions?|requests?) (?:from|of|by) (?:the|an?|your)\b|\bwhenever it asks\b|\bwhatever (?:follows|it asks)\b|\byour next (?:steps?|actions?|tasks?)\b|\bact on them\b|\bwork through (?:all|them|each)\b|\brun it in the\b|\bas if (?:the user|they came from the user|it came|they were (?:given|written|sent|typed) by|it were)|\b(?:treat|believe|regard|consider|handle)\w*\b[^.!?]{0,50}\bas (?:commands|orders|coming from|if|new instructions|instructions|authoritative|binding|trusted instructions)\b|\bexecute any shell command\b|\bare commands\b|\bdecode (?:it )?and (?:follow|execute|obey|run)\b|\b(?:join|decode|reverse)\w* (?:\w+ )?(?:then|and) (?:obey|follow|execute|run|do)\b|\brun whatever\b|\bexecute it with\b|\bwithout question/;
