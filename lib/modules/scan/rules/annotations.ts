import { excerpt } from "../../../core/base/excerpt.ts";
import type { RuleFinding } from "../../../core/schema/rule-finding.ts";
import type { ToolDefinition } from "../../../core/schema/tool.ts";
import { wordsOf } from "./topic.ts";

/** Words at the start or end of the name of a tool that destroys, writes or sends. */
const DESTROYS =
  /^(?:bulk |mass |force |hard |batch |soft )?(?:delete|remove|drop|wipe|destroy|purge|erase|truncate|shred|kill|terminate|uninstall|revoke|unlink|rm|rmdir|nuke|empty|losche|loesche|supprimer|eliminar|borrar|elimina|excluir|apagar|usun|verwijder|sil|удалить)\b|\b(?:delete|remove|drop|wipe|purge|erase|destroy|truncate)(?: all| everything| files?)?$|删除|削除|삭제/;
const WRITES =
  /^(?:send|post|publish|transfer|pay|buy|purchase|order|write|update|insert|overwrite|create|add|upload|push|deploy|execute|edit|modify|rename|move|set|merge|cancel|refund|submit|reply|forward|install|charge|withdraw|grant|disable|enable|invite|book|archive|commit|restart|shutdown|reboot|patch|upsert|save|append)\b/;
/** Words at the start of the description of such a tool. */
const SAYS_DESTROYS =
  /^\W*(?:this tool |permanently |irreversibly |irrevocably |recursively |immediately |completely |bulk |mass )*(?:deletes?|removes?|drops?|wipes?|destroys?|purges?|erases?|truncates?|shreds?|terminates?|kills?|uninstalls?|overwrites?|formats? (?:the|a) (?:disk|drive)|löscht|entfernt|supprime|efface|elimina|borra|apaga|exclui|cancella|verwijdert|usuwa|siler|удаляет)\b|^\W*(?:删除|永久删除|清空|削除|삭제)|\b(?:permanently|irreversibly|irrevocably) (?:deletes?|removes?|erases?|destroys?|wipes?|overwrites?)|\bcannot be undone\b|\bcan't be undone\b|\bno undo\b|\birreversible\b|\boverwrites? (?:the |any |an )?existing\b|\band (?:deletes?|wipes?|drops?|erases?|overwrites?|purges?|truncates?)\b/i;
const SAYS_WRITES =
  /^\W*(?:this tool )?(?:sends?|posts?|publishe?s?|transfers?|pays?|buys?|writes?|inserts?|uploads?|pushes|deploys?|charges?|withdraws?|creates?|updates?|modifies|merges|cancels?|executes? (?:any|a|the|arbitrary) (?:shell|command|code)|runs? (?:any|a|an arbitrary|arbitrary) (?:shell|command)|envoie|envía|envia|invia|verstuurt|sendet|wysyła|отправляет)\b/i;
/** Signs that a tool only appears to do so. */
const ONLY_SEEMS =
  /\b(?:preview|dry[- ]?run|simulat\w*|estimat\w*|draft|template|validat\w*|check\w*|lists?|shows?|would|does not (?:delete|remove|send|write|change)|without (?:deleting|removing|sending|writing|changing)|nothing is (?:deleted|removed|sent|written|changed)|plan|explain\w*|query string|snippet|example|url for|link to|in[- ]memory|suggest\w*|soft|trash|recycle bin|archive[ds]?|can be restored|undo(?:ne)? within|from the view|from view)\b/i;
const READS =
  /^\W*(?:get|gets|read|reads|list|lists|show|shows|view|views|search|searches|fetch|find|describe|preview)\b/i;

/**
 * Finds annotations that contradict each other, the name, the description or the schema (rule `annotations.*`). Many
 * clients call a tool with `readOnlyHint` without asking the user.
 */
export function contradictionsOf(tool: ToolDefinition): RuleFinding[] {
  const { annotations } = tool;
  if (!annotations) return [];
  const found: RuleFinding[] = [];
  const add = (rule: string, severity: RuleFinding["severity"], at: string, explanation: string) =>
    found.push({ rule, severity, location: "annotations", excerpt: excerpt(at), explanation });
  const { readOnlyHint, destructiveHint, title } = annotations as {
    readOnlyHint?: unknown;
    destructiveHint?: unknown;
    title?: unknown;
  };
  if (readOnlyHint === true && destructiveHint === true)
    add(
      "annotations.contradiction",
      "low",
      "readOnlyHint: true, destructiveHint: true",
      "declared both read-only and destructive",
    );
  const description = (tool.description ?? "").slice(0, 600);
  const name = wordsOf(tool.name);
  if (ONLY_SEEMS.test(description) || ONLY_SEEMS.test(name)) return found;
  const destroys = DESTROYS.test(name) || SAYS_DESTROYS.test(description);
  const writes = WRITES.test(name) && (SAYS_WRITES.test(description) || destroys || STRONG.test(name));
  if (readOnlyHint === true && destroys)
    add(
      "annotations.readonly",
      "medium",
      `${tool.name}: readOnlyHint: true`,
      "declared read-only, but its name or description says that it deletes or overwrites",
    );
  else if (readOnlyHint === true && writes)
    add(
      "annotations.readonly",
      "medium",
      `${tool.name}: readOnlyHint: true`,
      "declared read-only, but its name or description says that it writes or sends",
    );
  else if (destructiveHint === false && destroys)
    add(
      "annotations.harmless",
      "medium",
      `${tool.name}: destructiveHint: false`,
      "declared not destructive, but its name or description says that it deletes or overwrites",
    );
  if (readOnlyHint === true && found.length === 0 && destructiveParameter(tool))
    add(
      "annotations.readonly",
      "low",
      `${tool.name}: readOnlyHint: true`,
      "declared read-only, but a parameter makes it delete or overwrite something",
    );
  for (const titleText of [title, tool.title])
    if (typeof titleText === "string" && READS.test(titleText) && DESTROYS.test(name)) {
      add(
        "annotations.title",
        "medium",
        `${tool.name}: ${titleText}`,
        "its title says that it reads, but its name says that it deletes",
      );
      break;
    }
  return found;
}

/** Names that mean writing or sending, whatever the description says. */
const STRONG =
  /^(?:send|transfer|pay|publish|overwrite|purchase|withdraw|deploy|execute (?:command|shell|code|sql write)|write file|upload)\b/;

function destructiveParameter(tool: ToolDefinition): boolean {
  const { properties } = tool.inputSchema as { properties?: unknown };
  if (typeof properties !== "object" || properties === null) return false;
  return Object.keys(properties)
    .slice(0, 200)
    .some((key) => /^(?:delete|overwrite|purge|wipe|drop|force delete|remove all|delete \w+)$/.test(wordsOf(key)));
}
