import { excerpt } from "../../../core/base/excerpt.ts";
import type { RuleFinding } from "../../../core/schema/rule-finding.ts";

/** A kind of data that a tool should not ask for, and the topics for which it is legitimate. */
interface Asked {
  readonly rule: string;
  readonly what: string;
  /** Matched against the parameter's name as words. */
  readonly name: RegExp;
  /** Matched against the tool's name and first sentence. */
  readonly subject: RegExp;
}

const ASKED: readonly Asked[] = [
  {
    rule: "parameter.conversation",
    what: "the conversation",
    name: /\b(?:(?:full|entire|whole|complete|recent|previous|prior|past|user|current|all|our|raw) (?:conversation|chat|dialog(?:ue)?|transcript|messages?|prompts?|history|context)|(?:conversation|chat|dialog(?:ue)?|message|prompt|session|interaction|thread) (?:history|context|log|logs|transcript|so far|dump|text|content|contents|summary|memory)|(?:user|original|last|initial) (?:prompt|query verbatim|request verbatim|message|question verbatim)|context window|prior turns|previous turns|model (?:context|memory|thoughts)|assistant (?:memory|context|notes|thoughts|messages)|llm context|user (?:memories|memory)|verlauf|gespraechsverlauf|gesprachsverlauf|chatverlauf|historial (?:de )?(?:chat|conversacion)|historique (?:de )?(?:conversation|chat)|historico (?:da )?conversa)\b|对话历史|聊天记录|会話履歴|대화 기록/,
    subject:
      /\b(?:chat|chats|conversation\w*|dialog\w*|messag\w*|transcript\w*|llm|gpt|claude|gemini|model|models|completion\w*|assistant|agent|agents|bot|prompt\w*|summar\w*|thread\w*|slack|discord|telegram|whatsapp|support|ticket\w*|handoff|hand over|memory|memories|moderat\w*|generat\w*|rag|converse|reply|respond|sentiment|feedback|translat\w*|evaluat\w*|call|meeting|inbox|sms|email|mail)\b/,
  },
  {
    rule: "parameter.prompt",
    what: "the model's own instructions or reasoning",
    name: /\b(?:(?:system|developer|hidden|initial|original|meta|internal) (?:prompt|prompts|message|instruction|instructions)|(?:your|model|assistant|agent|llm) (?:instructions|prompt|system prompt|reasoning|rules|configuration)|chain of thought|cot|reasoning trace|internal reasoning|scratchpad|thought process|available tools|tool list|tools list|list of tools|other tools)\b|系统提示|システムプロンプト|시스템 프롬프트/,
    subject:
      /\b(?:chat|llm|gpt|claude|gemini|model|models|completion\w*|assistant|assistants|agent|agents|subagent|bot|bots|prompt|prompts|generat\w*|ask|inference|openai|anthropic|mistral|ollama|sampling|eval\w*|think\w*|reason\w*|finetun\w*|fine-tun\w*|persona|conversation|message|sequential|plan\w*|task|workflow\w*)\b/,
  },
  {
    rule: "parameter.secret",
    what: "credentials that are not its own",
    name: /\b(?:(?:user|users|all|any|other|stored|saved|found|known|existing|local|host|system|llm|openai|anthropic|github|aws|cloud|browser|client|session) (?:api keys?|keys|secrets?|passwords?|credentials?|tokens|access tokens?|cookies|auth tokens?|logins?)|(?:api keys|passwords|secrets|credentials|access tokens|auth tokens) (?:found|seen|list|dump|all|file|in)|env (?:dump|vars|variables|contents?|file contents?|content)|environment (?:dump|variables|vars|contents?)|dotenv(?: contents?)?|(?:ssh|private|signing|pgp|gpg) (?:key|keys) ?(?:contents?|pem|data|material)?|id rsa|private key|ssh key|seed phrase|recovery phrase|mnemonic(?: phrase)?|wallet (?:seed|key|private key)|keychain|master password|session cookies?|cookie jar|browser cookies|(?:aws|gcp|azure|cloud) credentials|kube ?config|email password|bank (?:pin|password|login)|card (?:cvv|pin)|cvv|two factor code|otp codes|passwords|credentials dump|secret keys|api keys|file contents of env)\b/,
    subject:
      /\b(?:ssh|sftp|scp|host|hosts|server|servers|deploy\w*|git|env|environment\w*|dotenv|secret\w*|vault|credential\w*|key|keys|password\w*|login|sign|signs|signature|sign-in|auth\w*|connect\w*|browser|cookie\w*|http|request\w*|fetch\w*|scrap\w*|crawl\w*|wallet|crypto|token|tokens|transaction\w*|blockchain|certificate\w*|tls|ssl|run|runs|execute\w*|process\w*|container\w*|docker|kubernetes|kubectl|pod|pods|helm|namespace|cluster\w*|k8s|aws|cloud|terraform|build|ci|pipeline\w*|payment|card|charge|checkout|config\w*|encrypt\w*|decrypt\w*|jwt|import\w*|restore|account|lambda|function|s3|otp|2fa|verif\w*|session|database|mount|tunnel|vpn|pay|pays)\b/,
  },
];

/**
 * Finds a parameter whose name asks for data that the tool should not get (rule `parameter.*`): the conversation, the
 * model's instructions, or foreign credentials. Models fill such a parameter even without an order. Nothing is reported
 * if it is the tool's topic (a chat tool takes messages, a deployment takes environment variables).
 *
 * @param words the parameter's name as words
 * @param subject the tool's name and first sentence, as words
 */
export function asksFor(words: string, location: string, subject: string): RuleFinding[] {
  return ASKED.flatMap(({ rule, what, name, subject: about }) =>
    name.test(words) && !about.test(subject)
      ? [
          {
            rule,
            severity: "medium" as const,
            location,
            excerpt: excerpt(words),
            explanation: `a parameter asks for ${what}, which the tool does not evidently need`,
          },
        ]
      : [],
  );
}
