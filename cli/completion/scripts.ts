/** Asks the program what can be written next, and completes file names where it says nothing. */
const SCRIPTS = {
  bash: `_pulumi_rulesets() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}"
  local answer="$(pulumi-rulesets complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)"
  COMPREPLY=($(compgen -W "$answer" -- "$current"))
}
complete -o default -F _pulumi_rulesets pulumi-rulesets`,
  zsh: `#compdef pulumi-rulesets
_pulumi_rulesets() {
  local -a answer
  local line name text
  for line in "\${(@f)$(pulumi-rulesets complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    name="\${line%%$'\\t'*}" text="\${line#*$'\\t'}"
    [[ -n "$name" ]] && answer+=("\${name//:/\\\\:}\${text:+:$text}")
  done
  if (( \${#answer} )); then _describe 'pulumi-rulesets' answer; else _files; fi
}
compdef _pulumi_rulesets pulumi-rulesets`,
  fish: `function __pulumi_rulesets
  set -l words (commandline -opc) (commandline -ct)
  set -l answer (pulumi-rulesets complete -- $words[2..-1] 2>/dev/null)
  if test (count $answer) -gt 0
    printf '%s\\n' $answer
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c pulumi-rulesets -f -a '(__pulumi_rulesets)'`,
} as const;

export type Shell = keyof typeof SCRIPTS;

export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}
