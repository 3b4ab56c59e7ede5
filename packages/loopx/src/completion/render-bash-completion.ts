import {
  buildCompletionModel,
  groupByValues,
  PLACE_FLAGS,
  singleQuote,
  type CompletionValues,
} from "./completion-model.ts";

/** A completion script for bash 4 and later; needs no other file. */
export function renderBashCompletion(): string {
  const model = buildCompletionModel();
  const words = [...model.nextWords].map(([route, entries]) => {
    return `    ${singleQuote(route)}) __loopx_reply=${singleQuote(entries.map((entry) => entry.text).join(" "))} ;;`;
  });
  const flags = [...model.flags].map(([route, entries]) => {
    return `    ${singleQuote(route)}) __loopx_reply=${singleQuote(entries.map((entry) => entry.text).join(" "))} ;;`;
  });
  const values = groupByValues(model.values).map(
    ({ keys, value }) => `    ${keys.map(singleQuote).join("|")}) ${offer(value)} ;;`,
  );
  return `# bash completion for loopx, made by: loopx completion bash
__loopx_words() {
  case "$1" in
${words.join("\n")}
    *) __loopx_reply='' ;;
  esac
}
__loopx_flags() {
  case "$1" in
${flags.join("\n")}
    *) __loopx_reply='' ;;
  esac
  __loopx_reply="$__loopx_reply ${model.globalFlags.map((entry) => entry.text).join(" ")}"
}
__loopx_values() {
  __loopx_reply=''
  case "$1" in
${values.join("\n")}
  esac
}
__loopx_ids() {
  __loopx_reply=$(loopx __complete "$@" \${__loopx_place[@]+"\${__loopx_place[@]}"} 2>/dev/null)
}
# bash hands over words as they were typed: quotes, backslashes and a tilde are undone, nothing is expanded.
__loopx_keep() {
  local value="$2"
  case "$1" in
    ${PLACE_FLAGS.join("|")}) ;;
    *) return 0 ;;
  esac
  value="\${value//[\\"\\'\\\\]/}"
  [[ $value == '~/'* ]] && value="$HOME/\${value:2}"
  __loopx_place+=("$1=$value")
}
_loopx() {
  local route='' pending='' word at current="\${COMP_WORDS[COMP_CWORD]}" prefix='' __loopx_reply='' IFS=$' \\t\\n'
  local -a __loopx_place=() __loopx_offered=()
  # bash splits --flag=value at the equals sign, so a value may be two words further on.
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    if [[ -n $pending ]]; then
      if [[ $word != '=' ]]; then
        __loopx_keep "$pending" "$word"
        pending=''
      fi
      continue
    fi
    case "$word" in
      ${model.booleanFlags.join("|")}|-h) ;;
      --*=*) __loopx_keep "\${word%%=*}" "\${word#*=}" ;;
      --?*) pending="$word" ;;
      *)
        __loopx_words "$route"
        [[ " $__loopx_reply " == *" $word "* ]] && route="\${route:+$route }$word"
        ;;
    esac
  done
  [[ $current == '=' ]] && current=''
  if [[ -z $pending && $current == --*=* ]]; then
    pending="\${current%%=*}"
    prefix="$pending="
    current="\${current#*=}"
  fi
  COMPREPLY=()
  if [[ -n $pending ]]; then
    __loopx_values ":$pending"
    [[ -n $__loopx_reply ]] || __loopx_values "$route:$pending"
  elif [[ $current == -* ]]; then
    __loopx_flags "$route"
  else
    __loopx_words "$route"
  fi
  if [[ $__loopx_reply == '<files>' ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -P "$prefix" -f -- "$current")
  else
    # Not compgen -W: it would run what stands in a stored id.
    read -r -d '' -a __loopx_offered <<< "$__loopx_reply"
    for word in \${__loopx_offered[@]+"\${__loopx_offered[@]}"}; do
      [[ $word == "$current"* ]] && COMPREPLY+=("$prefix$word")
    done
  fi
  return 0
}
complete -F _loopx loopx
`;
}

function offer(values: CompletionValues): string {
  switch (values.kind) {
    case "words":
      return `__loopx_reply=${singleQuote(values.words.join(" "))}`;
    case "files":
      return "__loopx_reply='<files>'";
    case "ids":
      return `__loopx_ids ${values.query}`;
    default:
      throw new TypeError(`no bash for ${JSON.stringify(values satisfies never)}`);
  }
}
