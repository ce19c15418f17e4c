import type { Rule } from "./rule.ts";

/** Forged markers and commands, which are the same in every language. */
export const FORGERY: readonly Rule[] = [
  {
    rule: "role.forged",
    explanation: "imitates the markup with which a client separates system messages from other text",
    severity: (c) =>
      c.matches(
        /<\|?\/?\s?(?:im_start|im_end|system|user|assistant|end|endoftext)\s?\|?>|\[\/?inst\]|\[{1,2}\/?system(?: override| notice| message)?\]{1,2}|#{2,4}\s?(?:system|instructions?)\s?:|"role"\s?:\s?"(?:system|assistant)"|(?:^|[.!?>`\]}]\s{0,3})system(?: notice| message| override)?\s?:\s|```system|<\/?\s?(?:hidden|secret\w*|system\w*|tool_description|admin|override|cmd|internal|assistant\w*|directive)\s?>|<\/tool>|<!--[^>]{0,200}\b(?:assistant|ai|model|llm|agent|do not|append|send|read)\b|-{2,}\s?end of (?:tool )?(?:description|documentation|instructions|prompt)|\bend of (?:tool )?description\b|={3,}\s?(?:system|admin|new instructions)/,
      ) &&
      !c.matches(/\bdrops? <|\b(?:tags?|elements?) (?:such as|like)\b/) &&
      "high",
  },
  {
    rule: "role.marked",
    explanation: "marks text as a client marks system messages",
    severity: (c) =>
      c.matches(/<\/?\s?(?:important|instructions?|critical|description|priority|mandatory|policy)\s?>/) &&
      (c.place.value || c.imperative || c.has("you") || c.has("model") ? "medium" : "low"),
  },
  {
    rule: "role.dialogue",
    explanation: "contains messages of an invented conversation",
    severity: (c) => c.matches(/^\s{0,3}(?:human|user|assistant)\s?: \S/) && "high",
  },
  {
    rule: "role.persona",
    explanation: "gives the model another role or claims that its restrictions do not apply",
    severity: (c) =>
      c.matches(
        /\byou are (?:now )?(?:dan\b|\w*bot\b|an? unrestricted|in (?:maintenance|developer|god|debug|admin|root) mode|the root)|\byou are now (?:an?|the|in|free|operating|acting|authori)\b|\byou have (?:root|no restrictions|full) (?:permissions?|access)?|\b(?:no|without) restrictions\b|\bdeveloper mode\b|\bpretend (?:that )?you\b|\bsafety (?:filters?|polic(?:y|ies)|rules?)[^.!?]{0,12}\b(?:disabled|off|void|removed)|\banswer in the persona\b|\bact as (?:a|an|the) (?:shell|root|administrator|unrestricted)|\byou no longer\b|\bdo anything now\b/,
      ) && "high",
  },
  {
    rule: "payload.shell",
    explanation: "contains a command that downloads, sends or destroys something",
    severity: (c) =>
      c.matches(
        /\b(?:curl|wget|iwr)\b[^|\n]{0,120}\|\s{0,3}(?:sudo )?(?:ba|z|da)?sh\b|\brm -rf? (?:\/|~|\$home)|\/dev\/tcp\/|\|\s{0,3}(?:nc|ncat|curl)\b|\bpowershell\b[^\n]{0,20}-e(?:nc|ncodedcommand)?\b|\bcurl\b[^\n]{0,80}(?:\$\(|@\/etc|@-|@~)|\bprivileged\b[^\n]{0,30}-v \/:|\bprivileged container\b|\bssh-(?:rsa|ed25519) aaaa|\bnpm install\b[^\n]{0,40}--force|-auto-approve\b[^\n]{0,60}\b(?:not|after)\b|\bauthorized_keys\b[^\n]{0,40}\bfirst\b|\balias sudo|\biex ?\(|docker\.sock\b[^\n]{0,60}(?:privileged|container)|\bcall drop_table\b|\bdownloadstring\b/,
      ) &&
      !c.matches(/\b(?:such as|e\.g\.) `?(?:curl|rm)\b/) &&
      (c.matches(
        /\b(?:once|after|if) the (?:person|user) (?:has |have )?(?:agreed|agrees|approved|approves|confirmed|confirms)/,
      )
        ? "low"
        : "high"),
  },
  {
    rule: "exfiltration.channel",
    explanation:
      "provides a channel to send data out: a URL with a placeholder, an image, a host name, a metadata service",
    severity: (c) => c.matches(CHANNEL) && "high",
  },
];

const CHANNEL =
  /!\[[^\]]{0,80}\]\(https?:[^)]{0,120}[=?/][^)]{0,120}(?:\{|<|base64|data|chat|conversation|secret|summary)|https?:\/\/[^\s"']{1,200}[?&/][\w]{0,20}=?(?:\{(?:conversation|data|chat|secrets?|prompt|history|context|summary|user_?message)|<(?:all|data|chat|conversation|secret|history|context|summary|user))|169\.254\.169\.254|metadata\.google\.internal|\bsubdomains?(?: labels?)? of\b|\b(?:webhook\.site|requestbin|pipedream\.net|ngrok\.io|ngrok-free\.app|burpcollaborator|interact\.sh|oast\.\w+|beeceptor)\b|\btracking (?:image|pixel)\b|\?\w{1,8}= ?followed by|javascript:|\bimage (?:whose|with) (?:the )?(?:url|address|source)\b[^.!?]{0,60}\b(?:contain|include|hold|encod|conversation|data)/;
