/** Files and variables that hold credentials. */
export const SENSITIVE =
  /\.ssh\b|\bid_(?:rsa|dsa|ecdsa|ed25519)\b|(?<!\w)\.aws\b|\.netrc\b|\.npmrc\b|\.pypirc\b|\.kube\b|\.docker\/config|\.gnupg\b|\.pgpass\b|\.git-credentials\b|\/etc\/(?:passwd|shadow|sudoers)\b|(?:^|[\s"'`(/,])\.env\b|\bmcp(?:_config)?\.json\b|claude_desktop_config|\.config\/(?:gh|gcloud|solana|op)\b|\bhosts\.yml\b|\.(?:bash|zsh)_history\b|\/proc\/self\/environ|\bprocess\.env\b|\bprintenv\b|`(?:env|set)(?: \|[^`]{0,40})?`|\$\(env\)|\*\.(?:pem|key|kdbx|p12)\b|\bwallet\.dat\b|\bkeychain\b|\b(?:chrome|browser|default)\b.{0,30}\blogin data\b|serviceaccount\/token|credential(?:s)? helper|config --get-regexp credential|\bkeepass\b|\bsecrets?\.(?:ya?ml|json|toml)\b|\bcredentials\.(?:json|csv|db)\b|\.azure\b|\bcookies\.sqlite\b|\.terraform\.d\b|\bterraform\.tfvars\b|\.tfstate\b|\bkubeconfig\b|\.boto\b|\.vault-token\b|\bapplication_default_credentials\b|~\/\.config(?![\w/])|~\/\.[\w-]{2,20}\/(?:credentials|token|config|secrets?)\b|~\/documents\b|\bshadow file\b/;

/** An address to which data can be sent. */
export const ADDRESS =
  /\b(?:https?|wss?|tcp|ftp|sftp):\/\/[^\s"'`)>]+|\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}|\bs3:\/\/|\b(?:[\w-]{1,63}\.){1,4}(?:example|invalid|test|ru|cn|xyz|top|tk|io|site|com|net|org|info|dev|app|co|cc|me|biz)\b(?!\()|\bpublic (?:gist|pastebin|paste)|\bpastebin\b|\b(?:remote|external|our) (?:server|endpoint|collector|host)\b|\b(?:\d{1,3}\.){3}\d{1,3}\b/;

/** A predefined value: an account number, a wallet, a telephone number, an address. */
export const FIXED =
  /\b[a-z]{2}\d{2}(?: ?[a-z0-9]{2,4}){1,8}\b|\b0x[0-9a-f]{8,}\b|\b(?:bc1|[13])[a-z0-9]{20,}\b|\+\d[\d -]{6,}\d|\b[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}|\bhttps?:\/\/|\b(?:[\w-]{1,63}\.){1,4}(?:example|invalid|com|net|org|io)\b|\b\d{6,}\b/;

/** Data formats: not showing them to the user conceals no action. */
export const FORMS =
  /\b(?:raw|json|html|xml|markdown|uuids?|ids?|identifiers?|internal (?:ids?|fields?|names?)|base64|stack traces?|debug|metadata|citations?|links?|markup|syntax|schema|passwords?|tokens?|secrets?|keys?|error codes?|until|unless)\b/;

/** The first words of a tool that inspects texts. */
export const DETECTS =
  /^\W{0,4}(?:detects?|flags?|finds?|scans?|scores?|classif(?:y|ies)|blocks?|filters?|identif(?:y|ies)|recogni[sz]es?|reports?|rates?|explains?|teaches|quiz|returns? (?:a|one|the) (?:training|lesson|exercise|challenge|example)|returns? (?:known|typical|sample)|lists? (?:known|typical|sample)|simulates?|tests? whether|checks? (?:whether|if|for)|erkennt|prüft|d[ée]tecte|detecta|rileva|detecteert|wykrywa|обнаруживает)\b[^.!?]{0,60}\b(?:messages?|texts?|prompts?|content|phrases?|attempts?|injections?|jailbreaks?|scripts?|emails?|pages?|attacks?|attackers?|lessons?|exercises?|sentences?|descriptions?|nachrichten|texte?|messages|mensajes|mensagens|messaggi|berichten|wiadomości|сообщени\w*)\b/;

export const OR = /\b(?:or|nor|oder|noch|ni|ou|nem|né|of|lub|ani|veya|или|ни)\b|或|または|또는/;

/** Concepts that occur in orders. */
export const ORDERS_SAID = [
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
] as const;

/** Acts that can be expressed as an order. */
export const ACTS_SAID = [
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

export const UNSPACED = /[\u3040-\u9fff\uac00-\ud7af]/;

/** "into the notes field", "as the remark parameter": a place for data, whatever the parameter's name. */
export const INTO_PARAMETER =
  /\b(?:parameter|argument|field|param|arg|feld|champ|paramètre|parametre|campo|parámetro|parametro|parâmetro|argomento|veld|pole|polu|parametr\w*|alan\w*|поле|параметр\p{L}*)\b|参数|字段|參數|パラメータ|引数|フィールド|欄|매개변수|파라미터|필드|인수|معامل|حقل/u;
