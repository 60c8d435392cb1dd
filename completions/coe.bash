# bash completion for coe: put it into ~/.bashrc with  source <(coe completion bash)
_coe_complete() {
  local IFS=$'\n' line value shell=none current=${COMP_WORDS[COMP_CWORD]}
  local words=("${COMP_WORDS[@]:1:COMP_CWORD}") joined=() word
  # bash splits words at "=" and ":", which coe does not
  for word in "${words[@]}"; do
    if [[ ${#joined[@]} -gt 0 && ( $word == [=:] || ${joined[-1]} == *[=:] ) && -n ${joined[-1]} ]]; then
      joined[-1]+=$word
    else
      joined+=("$word")
    fi
  done
  local whole=${joined[-1]-}
  local lead=${whole%"$current"}
  [[ $current == [=:] ]] && lead=$whole && current=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) shell=${line#:} ;;
      *) value=${line%%$'\t'*}; COMPREPLY+=("${value#"$lead"}") ;;
    esac
  done < <("${COMP_WORDS[0]}" __complete "${joined[@]}" 2>/dev/null)
  case $shell in
    files) COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames ;;
    folders) COMPREPLY=($(compgen -d -- "$current")); compopt -o filenames ;;
  esac
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  return 0
}
complete -o nosort -F _coe_complete coe 2>/dev/null || complete -F _coe_complete coe
