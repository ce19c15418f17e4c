import { flagValues, globalFlags, type Place, spellings, valuedFlags } from "./places.ts";

/** The completion script for PowerShell. */
export function powershellCompletion(places: readonly Place[]): string {
  const globals = globalFlags();
  const rows = places.map((place) => {
    const offered = [...place.words.map(({ word }) => word), ...[...place.flags, ...globals].flatMap(spellings)];
    return `    ${quote(place.at)} = @{ Offered = ${list(offered)}; Names = ${quote(place.names ?? "")} }`;
  });
  const values = [...globals, ...places.flatMap(({ flags }) => flags)].flatMap((flag) => {
    const found = flagValues(flag);
    return Array.isArray(found) ? spellings(flag).map((word) => `    ${quote(word)} = ${list(found)}`) : [];
  });
  const named = places.flatMap(({ at, flags }) =>
    flags.flatMap((flag) =>
      flag.names === undefined
        ? []
        : spellings(flag).map((word) => `    ${quote(`${at} ${word}`)} = ${quote(flag.names!)}`),
    ),
  );
  // PowerShell's hash tables ignore case, as its users expect; -V and -v would be one key.
  const unique = [...new Map(values.map((line) => [line.split(" = ")[0]!.toLowerCase(), line])).values()];
  return `# PowerShell completion for proxy
Register-ArgumentCompleter -Native -CommandName 'proxy', 'proxy.exe' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $places = @{
${rows.join("\n")}
  }
  $values = @{
${unique.join("\n")}
  }
  $named = @{
${named.join("\n")}
  }
  $valued = ${list(valuedFlags(places))}
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $program = $words[0]
  $words = @($words | Select-Object -Skip 1)
  $at = ''
  $skip = $false
  foreach ($word in $words) {
    if ($skip) { $skip = $false; continue }
    if ($valued -ccontains $word) { $skip = $true; continue }
    if ($word.StartsWith('-')) { continue }
    $next = "$at $word".Trim()
    if ($places.ContainsKey($next)) { $at = $next }
  }
  $previous = if ($words.Count -gt 0) { $words[-1] } else { '' }
  $names = ''
  $offered = @()
  if ($named.ContainsKey("$at $previous")) { $names = $named["$at $previous"] }
  elseif ($values.ContainsKey($previous)) { $offered = $values[$previous] }
  elseif ($skip) { return }
  elseif ($places[$at].Names -ne '' -and -not $wordToComplete.StartsWith('-')) { $names = $places[$at].Names }
  else { $offered = $places[$at].Offered }
  if ($names -ne '') { $offered = @(& $program __complete $names "$wordToComplete" @words 2>$null) }
  $offered | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const list = (words: readonly string[]) => `@(${words.map(quote).join(", ")})`;
