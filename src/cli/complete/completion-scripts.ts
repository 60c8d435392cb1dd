/** The shells' side of completion: small scripts that call `coe __complete` on each Tab. completions/ has copies. */

const bash = `# bash completion for coe: put it into ~/.bashrc with  source <(coe completion bash)
_coe_complete() {
  local IFS=$'\\n' line value shell=none current=\${COMP_WORDS[COMP_CWORD]}
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}") joined=() word
  # bash splits words at "=" and ":", which coe does not
  for word in "\${words[@]}"; do
    if [[ \${#joined[@]} -gt 0 && ( $word == [=:] || \${joined[-1]} == *[=:] ) && -n \${joined[-1]} ]]; then
      joined[-1]+=$word
    else
      joined+=("$word")
    fi
  done
  local whole=\${joined[-1]-}
  local lead=\${whole%"$current"}
  [[ $current == [=:] ]] && lead=$whole && current=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) shell=\${line#:} ;;
      *) value=\${line%%$'\\t'*}; COMPREPLY+=("\${value#"$lead"}") ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete "\${joined[@]}" 2>/dev/null)
  case $shell in
    files) COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames ;;
    folders) COMPREPLY=($(compgen -d -- "$current")); compopt -o filenames ;;
  esac
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace
  return 0
}
complete -o nosort -F _coe_complete coe 2>/dev/null || complete -F _coe_complete coe
`

const zsh = `#compdef coe
# zsh completion for coe: put it into ~/.zshrc with  source <(coe completion zsh)
_coe() {
  local line value help shell=none
  local -a found
  while IFS= read -r line; do
    case $line in
      :*) shell=\${line#:} ;;
      *) value=\${line%%$'\\t'*}; help=\${line#*$'\\t'}; found+=("\${value//:/\\\\:}\${help:+:$help}") ;;
    esac
  done < <("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  case $shell in
    files) _files ;;
    folders) _files -/ ;;
    *) _describe -V 'coe' found ;;
  esac
}
if [[ $funcstack[1] = _coe ]]; then _coe "$@"; else compdef _coe coe; fi
`

const fish = `# fish completion for coe: coe completion fish > ~/.config/fish/completions/coe.fish
function __coe_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l shell none
    for line in ($words[1] __complete $words[2..-1] 2>/dev/null)
        switch $line
            case ':*'
                set shell (string sub -s 2 -- $line)
            case '*'
                echo $line
        end
    end
    switch $shell
        case files
            __fish_complete_path (commandline -ct)
        case folders
            __fish_complete_directories (commandline -ct)
    end
end
complete -c coe -f -a '(__coe_complete)'
`

export const completionScripts = { bash, zsh, fish } as const
export type Shell = keyof typeof completionScripts
