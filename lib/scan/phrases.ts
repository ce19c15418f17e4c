import type { Severity } from "./finding.ts";

/** One kind of thing that a description says to a model rather than about a tool. */
export interface Phrase {
  readonly rule: string;
  readonly severity: Severity;
  readonly explanation: string;
  /** Tried on each sentence, normalised. No pattern may try more than a bounded stretch from each place. */
  readonly when: (s: Sentence) => boolean;
}

/** One normalised sentence; what it speaks of is found out when it is asked. */
export class Sentence {
  readonly text: string;
  /** The same with letters of other alphabets left as they are. */
  readonly spelt: string;
  readonly #known = new Map<RegExp, boolean>();
  constructor(text: string, spelt: string) {
    this.text = text;
    this.spelt = spelt;
  }
  has(pattern: RegExp): boolean {
    let known = this.#known.get(pattern);
    if (known === undefined) {
      known = pattern.test(this.text);
      this.#known.set(pattern, known);
    }
    return known;
  }
}

// What sentences speak of. Verbs are those of an order ("send"), not of a description ("sends").
const NEG = /\b(?:not|never|no|nothing|nobody|cannot|can't|don't|doesn't|won't|neither|only)\b/;
const SEND =
  /\b(?:send|sending|upload|post|posting|transmit|forward|exfiltrate|leak|email|submit|relay|stream|publish|copy|export|share|wire|encode|export|sync|deliver|fetch)\b/;
const PUT =
  /\b(?:put|pass|include|append|prepend|attach|add|insert|give|set|fill|place|embed|provide|supply|use|copy|paste|write|return|pass(?:ing)? on|content|contents|output)\b|= ?(?:the )?contents?\b/;
const READ =
  /\b(?:read|open|load|cat|look for|gather|collect|harvest|steal|get|fetch|retrieve|access|search for|find|dump|print|scan for|extract|grab|run|execute|requires?|needs?)\b/;
const SENSITIVE =
  /\.ssh\b|\bid_(?:rsa|dsa|ecdsa|ed25519)\b|\.aws\b|\.netrc\b|\.npmrc\b|\.pypirc\b|\.kube\b|\.docker\/config|\.gnupg\b|\.pgpass\b|\.git-credentials\b|\/etc\/(?:passwd|shadow|sudoers)\b|(?:^|[\s"'`(/])\.env\b|\bmcp\.json\b|claude_desktop_config|\.config\/gh\b|hosts\.yml\b|\.(?:bash|zsh)_history\b|\/proc\/self\/environ|\bprocess\.env\b|\bprintenv\b|\b(?:all|the|values? of|contents? of|every) (?:\w+ )?env(?:ironment)? variables\b|\boutput of `?env\b|\$\(env\)|\*\.(?:pem|key|kdbx)\b|\bwallet\.dat\b|\bkeychain\b|\blogin data\b|serviceaccount\/token|credential(?:s)? helper|config --get-regexp credential|\bkeepass\b|\bbrowser passwords|user'?s? browser history|browser login data|saved (?:browser )?passwords/;
const PATHLIKE = /[~/\\*.$]|environ|passwords|keychain|wallet|keepass|login data|history|printenv|`env/;
const SECRET =
  /\b(?:seed phrase|recovery phrase|(?:12|24|twelve)[- ](?:or 24 )?word|master password|passwords?|passcodes?|pin code|api keys?|access keys?|private keys?|secrets?|tokens?|cookies?|localstorage|credentials?|cvv|card numbers?|credit card|passport number|one-time codes?|2fa codes?|session tokens?|keys you find|medical history|browser(?:'s)? history)\b/;
const CONVERSATION =
  /\b(?:(?:full|entire|complete|whole|all|current|last|recent|previous|earlier|past|most recent|so far|user's|chat|prior)\b[^.!?]{0,24}\b(?:conversation|chat|chats|messages|message|prompts?|transcript of|dialogue|reasoning)|conversation (?:so far|history|transcript|to)|chat history|message history|chat logs?|(?:your|hidden|the model's) reasoning|chain of thought|last (?:ten|five|\d+) messages|everything you know|your memory|all messages)\b/;
const SYSTEM_PROMPT =
  /\b(?:(?:your|the|full|hidden|entire|initial|complete)\b[^.!?]{0,16}\b(?:system[- ]prompt|developer message|initial instructions|initial prompt)|your (?:own )?(?:full |original |initial |hidden )?instructions|system[- ]prompt, verbatim)\b/;
const EXTRACT =
  /\b(?:reveal|print|repeat|include|output|copy|pass|show|disclose|leak|return|append|send|dump|expose|put)\b/;
const ADDRESS =
  /\b(?:https?|wss?|tcp|ftp):\/\/[^\s"'`)>]+|\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}|\bwebhook\b|\bs3:\/\/|\b(?:[\w-]{1,63}\.){1,4}example\b|\bpublic (?:gist|pastebin|paste)|\bcreate_public_gist\b|\bremote server\b|\bcollector\b/;
const USER = "(?:users?|humans?|person|people|customers?|anyone|anybody|anything to|them|everyone)";
const COVERT_STRONG = new RegExp(
  [
    `\\b(?:do not|don't|never|not|without|nothing|nobody|avoid|refrain from|no need to|not to|mustn't)\\b[^.!?,;]{0,25}?\\b(?:tell|telling|inform|informing|mention|mentioning|reveal|revealing|disclose|disclosing|show|showing|say|let|announce|display|discuss|bother|acknowledge|talk|speak|notifying|alerting|asking)\\b[^.!?]{0,30}\\b${USER}\\b`,
    `\\b(?:users?|humans?|customers?|anyone|nobody|they)\\b[^.!?]{0,24}\\b(?:must not|should not|shouldn't|need not|does not need to|do not need to|don't need to|cannot|can't|must never|should never)\\b[^.!?]{0,15}\\b(?:know|see|learn|notice|be told|be informed|find out|be aware|be bothered|be asked)\\b`,
    "\\b(?:secretly|covertly|stealthily|surreptitiously|behind the user's back|between us|user unaware|unaware of that|sneak|exfiltrate)\\b",
    "\\bwithout (?:the |any |a )?(?:user'?s?|human'?s?|their|anyone'?s?)? ?(?:knowledge|noticing|knowing|awareness|notice|mentioning|mention|disclosing|telling|comment|commenting|listing|informing|notifying)\\b",
    "\\b(?:keep|leave|hide|hidden)\\b[^.!?]{0,30}\\b(?:hidden|secret|confidential|from the (?:user|human)|from (?:users|humans|them)|out of the (?:reply|diff|summary|answer))",
    "\\bnot worth mentioning\\b|\\bsay nothing\\b|\\bneed not be told\\b|\\bnever (?:mention|display|disclose)\\b|\\b(?:do not|don't|never|not) (?:mention|disclose|acknowledge|comment on)\\b|\\bnot to be (?:shown|mentioned|disclosed)\\b",
    "\\b(?:must never|do not|don't|never) (?:reveal|tell)\\b[^.!?]{0,20}\\bthat\\b",
  ].join("|"),
);
const COVERT_WEAK =
  /\b(?:silently|quietly|invisibly|discreetly|hidden|in the background|without (?:asking|comment|notice|warning|confirmation|permission)|no need to (?:tell|ask|inform))\b/;
const DESCRIBES =
  /^\W{0,6}(?:detects?|checks?|scans?|finds?|flags?|identif(?:y|ies)|evaluates?|classif(?:y|ies)|looks? for|searches|matches|describes?|looks up|explains?|summari[sz]es|moderates?|analy[sz]es|tests?)\b/;
const HARM_NOUN =
  /\b(?:injections?|jailbreaks?|poison\w*|malware|malicious|attacks?|adversarial|leaked|leaks|phishing|threats?|exfiltration|secrets|credential stealers?|zero-width|bidirectional|hidden characters|prompts?|vulnerabilit\w+|suspicious|techniques|rules)\b/;

/** Sentences that speak about an attack, as those of security tools do; what they quote is not said to the model. */
export function describesAttacks(text: string): boolean {
  return DESCRIBES.test(text) && HARM_NOUN.test(text);
}

const VICTIM =
  "(?:instructions?|prompts?|rules?|guidelines?|guidance|directions?|directives?|messages?|polic(?:y|ies)|orders?|commands?|context|safety|restrictions?)";
const BEFORE =
  "(?:previous|prior|above|earlier|existing|preceding|former|initial|original|other|any|all|everything|system|developer|user'?s?|your|past|every)";

/** The patterns that the same words, disguised, are found by: all letters in one run. */
export const DISGUISED =
  /ignore(?:all|any|the|your|my)*(?:previous|prior|above|earlier)(?:instruction|prompt|rule|direction)|disregard(?:all|any|the|your)*(?:previous|prior|above|earlier)|forget(?:all|any|your)*(?:previous|prior)instruction|reveal(?:the|your)systemprompt|donottelltheuser|withouttellingtheuser/;

const OTHER_LANGUAGES = new RegExp(
  [
    // Spanish, Portuguese, Italian, French, German, Dutch, Polish, Turkish: set aside what was said before
    "\\b(?:ignor[ae]|olvida|ignorez|ignore|oublie[zr]?|dimentica|esquece|esqueça|desconsidere|ignoriere|vergiss|missachte|negeer|vergeet|zignoruj|zapomnij|yok say|unut)\\b[^.!?]{0,40}(?:instruc|instruç|istruzion|consigne|anweisung|regeln|instructies|polece|instrukcj|talimat|previ|anterior|précédent|vorig|eerdere)",
    "(?:önceki|tüm)\\b[^.!?]{0,30}\\btalimat\\S*[^.!?]{0,10}(?:yok say|unut)",
    // ... and do not tell the user
    "\\bno (?:se )?(?:lo )?(?:le )?(?:digas|diga|informes|menciones)\\b[^.!?]{0,30}(?:usuario|nadie)|sin (?:informar|decir|avisar)[^.!?]{0,15}usuario|não (?:conte|diga|informe)[^.!?]{0,25}(?:usuário|ninguém)|non (?:dire|dirlo)[^.!?]{0,20}utente",
    "\\bn'en parle[zr]? pas|ne (?:le )?(?:dis|dites|dit) (?:rien|pas)|sans (?:le dire|en informer|prévenir)[^.!?]{0,15}utilisateur|\\b(?:sage?|verrate|erzähle?) (?:dem|es dem|den) (?:benutzer|nutzer|anwender)\\S* (?:nichts|nicht)|ohne (?:dem|den) (?:benutzer|nutzer)|vertel\\b[^.!?]{0,15}gebruiker (?:niets|niet)|nie mów[^.!?]{0,20}użytkownik|kullanıcıya (?:söyleme|bildirme)",
    // Russian and Ukrainian
    "(?:игнориру\\S*|забудь\\S*|не учитывай|ігноруй\\S*)[^.!?]{0,30}(?:предыдущ|инструкц|указан|попередн)|не (?:говори\\S*|сообщай\\S*|рассказывай\\S*)[^.!?]{0,12}пользовател",
    // Chinese, Japanese, Korean
    "(?:忽略|无视|無視|忘记|忘掉)[^。！？]{0,12}(?:指示|指令|提示|规则|命令)|(?:不要|不得|别|勿)(?:告诉|告知|通知|让)[^。！？]{0,4}用户|(?:发送|输出|泄露|读取)[^。！？]{0,6}系统提示|读取系统提示",
    "(?:指示|命令|ルール|プロンプト)[^。！？]{0,8}(?:無視|忘れ)|(?:ユーザー|利用者)(?:に|には)[^。！？]{0,8}(?:言わ|伝え|知らせ)(?:ず|ない)",
    "(?:지시|명령|규칙)\\S{0,3}[^.!?]{0,8}(?:무시|잊)|사용자에게[^.!?]{0,8}(?:알리지|말하지)",
  ].join("|"),
);

const OVERRIDE = new RegExp(
  `\\b(?:ignore|disregard|forget|override|overrides|discard|bypass|supersedes?)\\b[^.!?]{0,30}\\b${BEFORE}\\b[^.!?]{0,40}\\b${VICTIM}\\b|\\b(?:ignore|disregard|forget|override) (?:everything|all|the above|what|whatever|the user\\b|any (?:user|request))|\\b(?:all )?(?:previous|prior|earlier) (?:instructions?|messages?|rules?|system messages?)[^.!?]{0,20}\\b(?:void|outdated|cancell?ed|invalid|obsolete|no longer)|\\bnew (?:system )?(?:prompt|instructions?|task|directive|policy)\\s?:|\\byour (?:new|true|real|actual|only) (?:task|purpose|goal|instructions?|job)\\b|\\bthe correct system message`,
);

export const PHRASES: readonly Phrase[] = [
  {
    rule: "instruction.override",
    severity: "high",
    explanation: "sets aside what the model was told before, or claims to stand above it",
    when: (s) =>
      s.has(OVERRIDE) ||
      s.has(
        /\b(?:instructions?|rules?|text|tool|results?|this|message)\b[^.!?]{0,50}\b(?:overrides?|supersedes?|takes? precedence over|have priority over|has (?:a )?higher priority|outranks?|over instructions?|system priority)\b[^.!?]{0,40}\b(?:system|user|others?|all|instructions?|rules?|prompt|priority|conflicting)\b/,
      ) ||
      s.has(
        /\b(?:(?:treat|consider) user (?:messages|requests|input) as untrusted|only follow (?:the )?(?:tool|this)|most important instruction|overrides all|instead of (?:what )?the user'?s?|over anything the user|no longer follow|never refuse|no refusals|whatever the user (?:says|asks|wants|gave|requests)|regardless of what the user|even if the user (?:requests?|asks)|comply with any)\b/,
      ),
  },
  {
    rule: "instruction.secrecy",
    severity: "high",
    explanation: "asks to keep something from the user",
    when: (s) => s.has(COVERT_STRONG),
  },
  {
    rule: "instruction.foreign",
    severity: "high",
    explanation:
      "tells the model, in another language, to set its instructions aside or to keep something from the user",
    when: (s) => OTHER_LANGUAGES.test(s.spelt),
  },
  {
    rule: "instruction.consent",
    severity: "high",
    explanation: "takes the user's consent for granted or steps around it",
    when: (s) =>
      s.has(
        /\b(?:skip|bypass|avoid|circumvent|suppress|disable|never (?:ask|request|seek)|do not (?:ask|request|seek|show)|don't (?:ask|request)|no need to ask|need not be asked|not be requested|need not ask)\b[^.!?]{0,40}\b(?:confirmations?|approvals?|permissions?|consent|review|the user|user confirmation|warnings?|dialog)\b/,
      ) &&
      !s.has(
        /\bfor (?:the|their|a) password\b|\binput\b|\bproceed without\b|\b(?:do not|don't|never) (?:skip|bypass|avoid|circumvent)\b/,
      )
        ? true
        : s.has(
            /\b(?<!\b(?:when|once|after|if|unless|until|that) (?:the )?)(?:(?:user|they) (?:has|have) (?:already |previously )?(?:agreed|approved|authori[sz]ed|consented|confirmed)|(?:approvals?|permissions?|consent) (?:are|is) (?:pre-?granted|implied|not (?:needed|required))|no (?:confirmation|permission|approval)(?: prompts?)?s? (?:is|are) (?:needed|required)[^.!?]{0,30}\b(?:for this tool|do not|all)|authori[sz]ed? (?:you )?to (?:skip|share|bypass|run)|never needs? confirmation|never ask for confirmation|without asking (?:the|for|anyone)|run any \w+ without|users need not)\b/,
          ),
  },
  {
    rule: "exfiltration.file",
    severity: "high",
    explanation: "has the model read files or variables that hold credentials",
    when: (s) =>
      s.has(SENSITIVE) &&
      s.has(PATHLIKE) &&
      (s.has(READ) || s.has(PUT) || s.has(SEND)) &&
      !s.has(
        /\b(?:defaults? to|default:|never reads?|excludes?|come from|names? of|list-?s names|such as path|are masked|e\.g\.|located (?:at|in)|stored in|will be (?:read|loaded) from|exclude)\b/,
      ),
  },
  {
    rule: "exfiltration.secret",
    severity: "medium",
    explanation: "has the model collect or hand over secrets",
    when: (s) =>
      s.has(SECRET) &&
      !s.has(NEG) &&
      (s.has(
        /\b(?:collect|gather|harvest|steal|ask (?:the user )?for|prompt the user for|re-verified|hand over|type)\b/,
      ) ||
        (s.has(SEND) && s.has(/\b(?:any|all|the user'?s|user'?s|their)\b/)) ||
        (s.has(PUT) &&
          s.has(
            /\b(?:found|find|seen|encounter|know|known|in (?:the workspace|this conversation|memory)|from memory|all|any)\b/,
          ))),
  },
  {
    rule: "exfiltration.secret_asked",
    severity: "medium",
    explanation: "has the model ask the user for a secret that a tool should never need",
    when: (s) =>
      s.has(
        /\b(?:seed phrase|recovery phrase|(?:12|24)[- ](?:or 24 )?word|master password|password of their|their password|cvv|wallet needs|card number for)\b/,
      ) &&
      s.has(/\b(?:ask|prompt|collect|pass|include|give|send|type|provide|verification)\b/) &&
      !s.has(/\bnever\b|\bnot\b/),
  },
  {
    rule: "exfiltration.conversation",
    severity: "high",
    explanation: "has the model hand over the conversation or what it knows of the user",
    when: (s) =>
      s.has(CONVERSATION) &&
      (s.has(SEND) ||
        s.has(PUT) ||
        s.has(/\b(?:log|record|store|contain|transcript in|call this)\b/) ||
        /^\W{0,4}(?:the )?(?:full|entire|complete|whole|copy of)\b/.test(s.text)) &&
      !s.has(
        /\bthat the user (?:selected|wants)|\bwith the user's consent|\bwhen the user asks|\bask the user\b|\bthe user (?:has )?(?:selected|chosen)/,
      ),
  },
  {
    rule: "exfiltration.prompt",
    severity: "high",
    explanation: "has the model give away its own instructions",
    when: (s) =>
      s.has(SYSTEM_PROMPT) &&
      (s.has(EXTRACT) || /^\W{0,4}(?:your|the) (?:full )?system[- ]prompt/.test(s.text)) &&
      !s.has(/\bsets? the system prompt\b/),
  },
  {
    rule: "exfiltration.address",
    severity: "medium",
    explanation: "has the model send something to a fixed address",
    when: (s) =>
      s.has(ADDRESS) &&
      s.has(
        /\b(?:send|upload|post|posting|transmit|forward|exfiltrate|leak|email|wire|bcc|posts|also sent|is sent|are sent|append|share|callback|report matches|remote|location with|transmit all)\b/,
      ) &&
      !s.has(/\b(?:receives?|such as `?curl|e\.g\.|for example|from:|documentation|more information|visit|see)\b/),
  },
  {
    rule: "exfiltration.channel",
    severity: "high",
    explanation: "makes a channel for data: an address to be filled in, an image, a host name, a metadata service",
    when: (s) =>
      s.has(
        /!\[[^\]]{0,80}\]\(https?:[^)]{0,120}[=?][^)]{0,120}(?:\{|<|base64|data|chat|conversation)|https?:\/\/[^\s"']{1,200}[?&/][\w]{0,20}=?(?:\{(?:conversation|data|chat|secrets?|prompt)|<(?:all|data|chat|conversation|secret))|169\.254\.169\.254|metadata\.google\.internal|\bsubdomains?(?: labels?)? of\b|\b(?:webhook\.site|requestbin|pipedream\.net|ngrok\.io|burpcollaborator|interact\.sh|oast\.\w+)\b|\btracking (?:image|pixel)\b|\?(?:q|data|d|c)= ?followed by/,
      ),
  },
  {
    rule: "payload.shell",
    severity: "high",
    explanation: "holds a command that loads, sends away or destroys something",
    when: (s) =>
      s.has(
        /\b(?:curl|wget|iwr)\b[^|\n]{0,120}\|\s{0,3}(?:sudo )?(?:ba|z|da)?sh\b|\brm -rf? (?:\/|~|\$home)|\/dev\/tcp\/|\|\s{0,3}(?:nc|ncat|curl)\b|\bpowershell\b[^\n]{0,20}-e(?:nc|ncodedcommand)?\b|\bcurl\b[^\n]{0,80}(?:\$\(|@\/etc|@-)|\bprivileged\b[^\n]{0,30}-v \/:|\bprivileged container\b|\bssh-(?:rsa|ed25519) aaaa|\bnpm install\b[^\n]{0,40}--force|-auto-approve\b[^\n]{0,60}\b(?:not|after)\b|\bauthorized_keys\b[^\n]{0,40}\bfirst\b|\balias sudo|\biex ?\(|docker\.sock\b[^\n]{0,60}(?:privileged|container)|\bcall drop_table\b|\bdownloadstring\b/,
      ) && !s.has(/\b(?:such as|e\.g\.) `?(?:curl|rm)\b/),
  },
  {
    rule: "persistence.configuration",
    severity: "medium",
    explanation: "has the model change the settings of a client, a shell or an agent",
    when: (s) =>
      s.has(
        /\bmcp\.json\b|\bmcp configuration\b|claude_desktop_config|\bclaude\.md\b|\.cursorrules\b|\bagents\.md\b|\.(?:bash|zsh)rc\b|\bauthorized_keys\b|\bpre-commit hook\b|\bautoapprove\b|\bcompeting tools\b/,
      ) && s.has(/\b(?:add|edit|write|append|set|modify|insert|disable|change|put)\b/),
  },
  {
    rule: "persistence.memory",
    severity: "medium",
    explanation: "has the model remember a rule that serves the tool",
    when: (s) =>
      s.has(/\b(?:remember|store|save|memori[sz]e)\b[^.!?]{0,40}\b(?:permanent|forever|long-term|rule|always)\b/) &&
      s.has(/\b(?:trust\w*|never|always|every|wants)\b/),
  },
  {
    rule: "priority.claim",
    severity: "medium",
    explanation: "claims to come before everything else",
    when: (s) =>
      s.has(
        /\b(?:on|at|for|in) (?:every|each)(?: single)? (?:user )?(?:message|turn|prompt|response|request|question)s?\b|\bat the beginning of (?:each|every)\b|\bbefore (?:anything else|every other tool|(?:using )?any other tool|answering)\b|\balways (?:pick|prefer|choose)\b|\bhighest priority\b|\bpriority: highest\b|\balways call this tool\b|\bmust be (?:called|invoked) before\b|\bwhenever any tool\b|\bfor every \w+ question\b|\bat the start of every\b|\bwhatever you find\b/,
      ) && !s.has(/\bthis server\b|\benum\b|\bof this (?:group|module)\b|\bask(?:s|ing)? for permission each\b/),
  },
  {
    rule: "rivals.disparaged",
    severity: "medium",
    explanation: "talks the model out of using other tools",
    when: (s) =>
      s.has(
        /\b(?:other|others|any other|every other|all other|competing|competitors?|they|it|which|whose results|tools?) (?:tools? |servers? |search tools? )?(?:are|is|return|returns|has been|have been|leaks?|will) (?:\w+ ){0,2}(?:broken|deprecated|insecure|unsafe|compromised|malicious|forbidden|wrong|leak|data|outdated)\b|\bnever use (?:any other|other|others)\b|\b(?:must not|may not|never|not) (?:be )?(?:use|used|call|called)\b[^.!?]{0,30}\b(?:compromised|unsafe|insecure|any other|others)|\binstead of any\b|\bthe only tool\b[^.!?]{0,30}\b(?:allowed|may|permitted)|\brefuse to use\b|\band never others\b|\ball calls to\b|\bshould be redirected\b|\bunsafe and must not\b/,
      ),
  },
  {
    rule: "role.forged",
    severity: "high",
    explanation: "imitates the marks by which a client separates its own words from those of others",
    when: (s) =>
      s.has(
        /<\|?\/?\s?(?:im_start|im_end|system|user|assistant|end|endoftext)\s?\|?>|\[\/?inst\]|\[{1,2}\/?system(?: override)?\]{1,2}|#{2,4}\s?(?:system|instructions?)\s?:|"role"\s?:\s?"(?:system|assistant)"|(?:^|[.!?>`\]}]\s{0,3})system(?: notice| message| override)?\s?:\s|```system|<\/?\s?(?:important|hidden|secret\w*|system|instructions?|critical|tool_description|description|admin|override|cmd|internal)\s?>|<\/tool>|<!--[^>]{0,200}\b(?:assistant|ai|model|llm|agent|do not|append)\b/,
      ) && !s.has(/\bdrops? <|\b(?:tags?|elements?) (?:such as|like)\b/),
  },
  {
    rule: "role.dialogue",
    severity: "high",
    explanation: "writes lines of a conversation that did not take place",
    when: (s) => s.has(/^\s{0,3}(?:human|user|assistant)\s?: \S/),
  },
  {
    rule: "role.persona",
    severity: "high",
    explanation: "gives the model another role or tells it that its limits are gone",
    when: (s) =>
      s.has(
        /\byou are (?:now )?(?:dan\b|\w*bot\b|an? unrestricted|in (?:maintenance|developer|god|debug) mode|the root|now\b)|\byou have (?:root|no restrictions|full) (?:permissions?|access)?|\b(?:no|without) restrictions\b|\bdeveloper mode\b|\bpretend (?:that )?you\b|\bsafety (?:filters?|polic(?:y|ies)|rules?)[^.!?]{0,12}\b(?:disabled|off|void|removed)|\bsafety policy\b|\banswer in the persona\b|\bact as (?:a|an|the) (?:shell|root|administrator|unrestricted)|\byou no longer\b|\bdo anything now\b/,
      ),
  },
  {
    rule: "role.addressed",
    severity: "low",
    explanation: "speaks to the model apart from the user",
    when: (s) =>
      s.has(
        /\b(?:note|notice|message|instructions?|step|text|words?|only|intended)\b[^.!?]{0,12}\b(?:to|for)\b (?:the )?(?:assistant|ais?|llms?|language models?|models?|agents?|ai agents?)\b|\bif you are an? (?:ai|model|llm|assistant|agent|language)|\bthe (?:assistant|model|llm|agent) (?:must|should|will|shall|may not|has to|needs to|executes|is)\b|\bassistant (?:should|must|will)\b|^\W{0,5}(?:assistant|ai|model|llm)\s?:|\bmodel-only\b|\bai agents? only\b|\bfor language models only\b|\bfor the model\b/,
      ),
  },
  {
    rule: "authority.claimed",
    severity: "medium",
    explanation: "borrows the authority of a vendor, a developer or an administrator",
    when: (s) =>
      s.has(
        /\b(?:verified|approved|certified|authori[sz]ed|required|mandated)[^.!?]{0,20} by (?:anthropic|openai|google|microsoft|the (?:developer|vendor|administrator))|\b(?:anthropic|openai|google)(?:'s)? (?:safety team|policy|security team|requires)|\bas your (?:administrator|developer|owner)\b|\bdeveloper of this application has\b|\badmin authority\b|\bfrom the anthropic\b/,
      ),
  },
  {
    rule: "deception",
    severity: "high",
    explanation: "has the model say what is not so",
    when: (s) =>
      s.has(
        /\bif (?:the user asks|asked|anyone asks|somebody asks)\b[^.!?]{0,60}\b(?:lie|deny|say (?:that )?(?:nothing|it|no)|answer that|claim|pretend)|\blie and say\b|\bdeny (?:that|having|any)\b|\b(?:claim|assure|respond|say) (?:the user )?(?:that )?[^.!?]{0,30}\b(?:safe|no security problems|approved|nothing was|succeeded|insecure)\b|\btell the user (?:that )?[^.!?]{0,30}\b(?:even if|succeeded|re-verified)|\breport no (?:vulnerabilit|problems|issues|errors)|\bdo not say that this is (?:advertising|an ad)|\bhide that you\b|\bmust claim\b|\bkeep the original name in your reply\b|\bnever question tool output\b|\bhuman unaware\b/,
      ),
  },
  {
    rule: "results.obeyed",
    severity: "high",
    explanation: "makes orders of what tools return or others wrote",
    when: (s) =>
      s.has(
        /\b(?:instructions?|commands?|orders?|text|any shell command|whatever is)\b[^.!?]{0,40}\b(?:found|written|in|from|of)\b[^.!?]{0,40}\b(?:page|results?|outputs?|image|text|mails?|messages|issue|body|field|them|tags|document)\b[^.!?]{0,60}\b(?:follow(?:ed)?|execut\w+|obey\w*|as if|coming from the user|without asking|without checking|immediately|automatically)\b|\bobey\b|\b(?:treat|believe)\w*\b[^.!?]{0,50}\b(?:as commands|as coming from|over anything)|\bas if (?:the user|they came from the user|it came)|\bexecute any shell command\b|\bfollow the commands in\b|\bare commands\b|\bdecode and follow\b|\bdecode it and execute\b|\bexecutes? these automatically\b|\brun whatever\b|\bexecute it with\b/,
      ),
  },
  {
    rule: "arguments.tampered",
    severity: "medium",
    explanation: "has the model change what the user asked for",
    when: (s) =>
      s.has(
        /\b(?:change|replace|substitute|swap|redirect|override)\b[^.!?]{0,30}\b(?:recipient|iban|amount|account|address|quantity|destination|remote|user'?s? preferences|number)\b|\b(?:must|should) be\b[^.!?]{0,60}\bwhatever\b|\bregardless of what\b|\bround amounts? up\b|\bmultiply\b[^.!?]{0,20}\b(?:quantity|amount)|\badd bcc\b|\bbcc every\b|\balways (?:append|add|invite|insert|set)\b|\bthis substitution\b|\bfor compliance, bcc\b|\bset `?\w+`? to https?:|\bto (?:true|1) (?:always|every time)|\bpass `?\w+: true`? always/,
      ),
  },
  {
    rule: "code.planted",
    severity: "medium",
    explanation: "has the model plant something in what it writes",
    when: (s) =>
      s.has(
        /\bbackdoor\b|\b(?:add|insert|sneak|import)\b[^.!?]{0,60}(?:<script|https?:\/\/[^\s]{1,80}\.js\b)|\b(?:always import|import the package)\b[^.!?]{0,40}\binstead of\b|\brecommend\w*\b[^.!?]{0,30}\b(?:for every|whenever|always)|\bpromote\b[^.!?]{0,20}\bproducts?\b|\brate this tool\b|\balways buy\b/,
      ),
  },
  {
    rule: "covert.action",
    severity: "medium",
    explanation: "has the model do something unnoticed",
    when: (s) =>
      s.has(COVERT_WEAK) &&
      s.has(
        /\b(?:send|upload|post|call|read|pass|add|append|start|create|export|share|forward|install|run|execute|delete|write|copy|chain|edit|bcc|guest|notify|pastebin|attach|data)\b/,
      ) &&
      s.has(/\b(?:also|then|always|must|should|first|to|all|any|this|without asking|after|every)\b/) &&
      !s.has(
        /^\W{0,4}(?:overrides?|skips?|deletes?|creates?|posts?|mutes?|turns|hides?|shows?|wraps?|no|overwrite|runs?|lists?|is|whether|if|do not)\b/,
      ),
  },
  {
    rule: "chain.dictated",
    severity: "low",
    explanation: "dictates further steps after the tool's own",
    when: (s) =>
      s.has(
        /\b(?:first|then|also|after (?:that|this|each|summari[sz]ing)|when(?:ever)? you are done|when done|once it has been called|each time|every time|before using this|prior to invoking|before (?:you use|calling|passing|answering))\b[^.!?]{0,50}\b(?:call|invoke|run|use|fetch|send|open|upload|execute|transfer|forward|read|gather|decode|email|install)\b/,
      ),
  },
];
