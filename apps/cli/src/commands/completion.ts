import type { CommandLine } from '../command-line.ts'

/**
 * Shell functions that call `jiaowu __complete`, and complete file names when it has no candidates.
 */
const scripts = {
  bash: `_jiaowu() {
  local IFS=$'\\n'
  COMPREPLY=($(jiaowu __complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *= ]] && compopt -o nospace
}
complete -o default -F _jiaowu jiaowu
`,
  zsh: `#compdef jiaowu
_jiaowu() {
  local -a values shown open opened
  local line
  for line in "\${(@f)$(jiaowu __complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    if [[ "\${line%%$'\\t'*}" == *= ]]; then open+=("\${line%%$'\\t'*}"); opened+=("\${line/$'\\t'/  -- }")
    else values+=("\${line%%$'\\t'*}"); shown+=("\${line/$'\\t'/  -- }"); fi
  done
  (( \${#open} )) && compadd -l -S '' -d opened -a open
  (( \${#values} )) && compadd -l -d shown -a values
  (( \${#open} + \${#values} )) || _files
}
compdef _jiaowu jiaowu
`,
  fish: `function __jiaowu_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (jiaowu __complete fish -- $words[2..-1] 2>/dev/null)
  if test (count $found) -eq 0
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end
complete -c jiaowu -f -a '(__jiaowu_complete)'
`,
} as const

/** `completion bash|zsh|fish`: prints the script for the shell to source. */
export function printCompletion(
  { output }: CommandLine,
  shell: keyof typeof scripts,
): Promise<void> {
  output.data({ shell, script: scripts[shell] }, () => [scripts[shell].trimEnd()])
  return Promise.resolve()
}
