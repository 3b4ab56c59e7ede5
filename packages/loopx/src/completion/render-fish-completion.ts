import {
  buildCompletionModel,
  groupByValues,
  PLACE_FLAGS,
  type CompletionEntry,
  type CompletionValues,
} from "./completion-model.ts";

/** A completion script for fish 3 and later. */
export function renderFishCompletion(): string {
  const model = buildCompletionModel();
  const words = [...model.nextWords].map(([route, entries]) => `    case ${quote(route)}\n      ${print(entries)}`);
  const flags = [...model.flags].map(([route, entries]) => `    case ${quote(route)}\n      ${print(entries)}`);
  const values = groupByValues(model.values).map(
    ({ keys, value }) => `    case ${keys.map(quote).join(" ")}\n      ${offer(value)}`,
  );
  return `# fish completion for loopx, made by: loopx completion fish
function __loopx_words
  switch "$argv[1]"
${words.join("\n")}
  end
end
function __loopx_flags
  switch "$argv[1]"
${flags.join("\n")}
  end
  ${print(model.globalFlags)}
end
function __loopx_values
  switch "$argv[1]"
${values.join("\n")}
    case '*'
      return 1
  end
end
function __loopx_keep
  if contains -- "$argv[1]" ${PLACE_FLAGS.join(" ")}
    set -ga __loopx_place "$argv[1]="(string replace -r '^~/' "$HOME/" -- "$argv[2]")
  end
end
function __loopx_complete
  set -g __loopx_place
  set -l route ''
  set -l pending ''
  set -l tokens (commandline -opc)
  for word in $tokens[2..-1]
    if test -n "$pending"
      __loopx_keep $pending "$word"
      set pending ''
      continue
    end
    switch $word
      case ${model.booleanFlags.join(" ")} -h
      case '--*=*'
        __loopx_keep (string split -m 1 = -- $word)
      case '--?*'
        set pending $word
      case '*'
        if contains -- $word (__loopx_words "$route" | string split -f 1 \\t)
          set route (string trim "$route $word")
        end
    end
  end
  set -l current (commandline -ct)
  if test -z "$pending"; and string match -q -- '--*=*' "$current"
    set pending (string split -m 1 -f 1 = -- $current)
    set -l found (__loopx_values ":$pending"; or __loopx_values "$route:$pending")
    for value in $found
      echo "$pending=$value"
    end
  else if test -n "$pending"
    __loopx_values ":$pending"; or __loopx_values "$route:$pending"
  else if string match -q -- '-*' "$current"
    __loopx_flags "$route"
  else
    __loopx_words "$route"
  end
end
complete -c loopx -f -a '(__loopx_complete)'
`;
}

function print(entries: readonly CompletionEntry[]): string {
  if (entries.length === 0) return "true";
  return `printf '%s\\t%s\\n' ${entries.map((entry) => `${quote(entry.text)} ${quote(entry.describe)}`).join(" ")}`;
}

function offer(values: CompletionValues): string {
  switch (values.kind) {
    case "words":
      return `printf '%s\\n' ${values.words.map(quote).join(" ")}`;
    case "files":
      return "__fish_complete_path (string replace -r '^--[^=]*=' '' -- (commandline -ct))";
    case "ids":
      return `loopx __complete ${values.query} $__loopx_place 2>/dev/null`;
    default:
      throw new TypeError(`no fish for ${JSON.stringify(values satisfies never)}`);
  }
}

/** In fish's single quotes a backslash escapes itself and the quote. */
function quote(text: string): string {
  return `'${text.replaceAll("\\", String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
}
