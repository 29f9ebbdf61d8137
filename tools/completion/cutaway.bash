# Completion of cutaway in bash. The command itself says what may follow: `cutaway complete WORDS...`.
_cutaway() {
  local word words=() prefix quoted
  # Bash makes a word of its own of =.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((${#words[@]})) && [[ $word == = || ${words[-1]} == *= ]]; then words[-1]+=$word; else words+=("$word"); fi
  done
  if ((${#words[@]} > 1)) && [[ ${words[-2]} == -- ]]; then
    mapfile -t COMPREPLY < <(compgen -c -- "${words[-1]}")
    return
  fi
  if [[ ${words[-1]} == [\"\']* ]]; then quoted=1 words[-1]=${words[-1]:1}; fi
  mapfile -t COMPREPLY < <("$1" complete "${words[@]}" 2>/dev/null)
  COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  # What stands before = is no part of the word that bash replaces, unless it is quoted.
  prefix=${words[-1]%"${words[-1]##*=}"}
  if [[ ! $quoted && $COMP_WORDBREAKS == *=* ]]; then COMPREPLY=("${COMPREPLY[@]#"$prefix"}"); fi
}
complete -o default -F _cutaway cutaway
