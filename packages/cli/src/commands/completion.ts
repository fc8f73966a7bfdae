import type { Command } from 'commander';
import { UsageError } from '../exit.js';
import { defineCommand } from '../session.js';

export const completion = defineCommand({
  usage: 'completion <shell>',
  summary: 'print what makes a shell complete commands and options: bash or zsh',
  examples: [
    ['source <(signet completion bash)', 'for this shell; put it into ~/.bashrc for all'],
    ['signet completion zsh > "${fpath[1]}/_signet"', 'for zsh, once'],
  ],
  run({ printer }, [shell], _options, command) {
    const script = shell === 'bash' ? bashScript : shell === 'zsh' ? zshScript : undefined;
    if (!script) throw new UsageError(`There is completion for bash and zsh, not for ${JSON.stringify(shell)}.`);
    printer.raw(script(wordsByCommand(command.parent!)));
  },
});

/** The words that may follow each command, by its name; `''` is the program itself. */
function wordsByCommand(program: Command): Map<string, string[]> {
  const words = new Map<string, string[]>();
  const optionsOf = (command: Command) => command.options.flatMap(({ long }) => (long ? [long] : []));
  const shared = [...optionsOf(program).filter((name) => name !== '--version'), '--help'];
  const visit = (command: Command, name: string) => {
    const names = command.commands.map((child) => child.name());
    const own = command === program ? ['--version'] : optionsOf(command);
    const shells = name === 'completion' ? ['bash', 'zsh'] : [];
    words.set(name, [...names, ...shells, ...own, ...shared]);
    for (const child of command.commands) visit(child, name === '' ? child.name() : `${name} ${child.name()}`);
  };
  visit(program, '');
  return words;
}

/** One `case` for each command. Files are completed where no word fits. */
function casesOf(words: Map<string, string[]>, assign: (list: string) => string): string {
  return [...words].map(([name, list]) => `    '${name}') ${assign(list.join(' '))} ;;`).join('\n');
}

/** All commands as paths, such as `key/new`. */
function pathsOf(words: Map<string, string[]>): string {
  return [...words.keys()]
    .filter((name) => name !== '')
    .map((name) => name.replaceAll(' ', '/'))
    .join(' ');
}

function bashScript(words: Map<string, string[]>): string {
  return `# Completion of signet for bash.
_signet() {
  local path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${pathsOf(words)} " in
      *" \${path:+\${path// //}/}\${word} "*) path="\${path:+\${path} }\${word}" ;;
    esac
  done
  case "\${path}" in
${casesOf(words, (list) => `words='${list}'`)}
  esac
  COMPREPLY=($(compgen -W "\${words}" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _signet signet`;
}

function zshScript(words: Map<string, string[]>): string {
  return `#compdef signet
# Completion of signet for zsh.
_signet() {
  local path_of='' word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case " ${pathsOf(words)} " in
      *" \${path_of:+\${path_of// //}/}\${word} "*) path_of="\${path_of:+\${path_of} }\${word}" ;;
    esac
  done
  case "\${path_of}" in
${casesOf(words, (list) => `candidates=(${list})`)}
  esac
  compadd -- \${candidates}
  _files
}
compdef _signet signet`;
}
