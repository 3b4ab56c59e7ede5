import {
  buildCompletionModel,
  groupByValues,
  PLACE_FLAGS,
  singleQuote,
  type CompletionEntry,
  type CompletionValues,
} from "./completion-model.ts";

/** A completion script for zsh: as `_loopx` on the fpath, or evaluated in .zshrc after compinit. */
export function renderZshCompletion(): string {
  const model = buildCompletionModel();
  const words = [...model.nextWords].map(
    ([route, entries]) => `    ${singleQuote(route)}) reply=(${describe(entries)}) ;;`,
  );
  const flags = [...model.flags].map(
    ([route, entries]) => `    ${singleQuote(route)}) reply=(${describe(entries)}) ;;`,
  );
  const values = groupByValues(model.values).map(
    ({ keys, value }) => `    ${keys.map(singleQuote).join("|")}) ${offer(value)} ;;`,
  );
  return `#compdef loopx
# zsh completion for loopx, made by: loopx completion zsh
__loopx_words() {
  case "$1" in
${words.join("\n")}
    *) reply=() ;;
  esac
}
__loopx_flags() {
  case "$1" in
${flags.join("\n")}
    *) reply=() ;;
  esac
  reply+=(${describe(model.globalFlags)})
}
__loopx_values() {
  case "$1" in
${values.join("\n")}
    *) return 1 ;;
  esac
}
# zsh hands over words as they were typed: quotes and a tilde are undone, nothing is expanded.
__loopx_keep() {
  local value="\${(Q)2}"
  case "$1" in
    ${PLACE_FLAGS.join("|")}) ;;
    *) return 0 ;;
  esac
  [[ $value == '~/'* ]] && value="$HOME/\${value#'~/'}"
  place+=("$1=$value")
}
_loopx() {
  local route='' pending='' word
  local -a reply place
  local -i at
  for ((at = 2; at < CURRENT; at++)); do
    word="\${words[at]}"
    if [[ -n $pending ]]; then
      __loopx_keep "$pending" "$word"
      pending=''
      continue
    fi
    case "$word" in
      ${model.booleanFlags.join("|")}|-h) ;;
      --*=*) __loopx_keep "\${word%%=*}" "\${word#*=}" ;;
      --?*) pending="$word" ;;
      *)
        __loopx_words "$route"
        (( \${reply[(I)\${(b)word}:*]} )) && route="\${route:+$route }$word"
        ;;
    esac
  done
  if [[ -z $pending && $PREFIX == --*=* ]]; then
    pending="\${PREFIX%%=*}"
    compset -P 1 '*='
  fi
  if [[ -n $pending ]]; then
    __loopx_values ":$pending" || __loopx_values "$route:$pending"
  elif [[ $PREFIX == -* ]]; then
    __loopx_flags "$route"
    _describe -o 'flag' reply
  else
    __loopx_words "$route"
    _describe 'loopx' reply
  fi
}
if [[ \${funcstack[1]} == _loopx ]]; then
  _loopx "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _loopx loopx
fi
`;
}

/** `_describe` splits at the first colon that isn't escaped. */
function describe(entries: readonly CompletionEntry[]): string {
  return entries.map((entry) => singleQuote(`${entry.text}:${entry.describe}`)).join(" ");
}

function offer(values: CompletionValues): string {
  switch (values.kind) {
    case "words":
      return `compadd -- ${values.words.join(" ")}`;
    case "files":
      return "_files";
    case "ids":
      return `compadd -- \${(f)"$(loopx __complete ${values.query} "\${place[@]}" 2>/dev/null)"}`;
    default:
      throw new TypeError(`no zsh for ${JSON.stringify(values satisfies never)}`);
  }
}
