// Completions for shells, from the table of commands and settings.

import { OperatorError } from '#common/errors.ts';
import { type Command, defineCommand } from '../../core/commands/command.ts';
import { type CommandOption, type Commands, findOptions, takesPath } from './help.ts';

type Shell = 'bash' | 'zsh' | 'fish';

export function completionsCommand(commands: Commands): Command {
  const shells: Record<Shell, (commands: Commands) => string> = { bash, zsh, fish };
  return defineCommand({
    usage: 'completions bash|zsh|fish',
    help: 'Prints a script that completes commands and options in this shell.',
    examples: [
      'vitrine completions bash > /etc/bash_completion.d/vitrine',
      'vitrine completions zsh > /usr/local/share/zsh/site-functions/_vitrine',
      'vitrine completions fish > ~/.config/fish/completions/vitrine.fish',
    ],
    settings: [],
    operand: 'the name of a shell: bash, zsh or fish',
    async run(_, shell) {
      if (!Object.hasOwn(shells, shell))
        throw new OperatorError(
          `There are completions for bash, zsh and fish, not for ${JSON.stringify(shell)}.`,
        );
      process.stdout.write(shells[shell as Shell](commands));
      return undefined;
    },
  });
}

const subcommandNames = ({ subcommands = [] }: Command) =>
  subcommands.map(({ usage }) => usage.split(' ', 1).join());

/** In single quotes. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function bash(commands: Commands): string {
  const names = Object.keys(commands);
  const ofCommands = Object.entries(commands).map(([name, command]) => {
    const words = [...subcommandNames(command), ...findOptions(command).map(({ flag }) => `--${flag}`)];
    return `    ${name}) words='${words.join(' ')}'; files=${takesPath(command.usage) ? 'yes' : ''} ;;`;
  });
  const ofValues = Object.entries(commands).flatMap(([name, command]) =>
    findOptions(command)
      .filter(({ placeholder }) => placeholder)
      .map(
        ({ flag, choices, isPath }) =>
          `    '${name} --${flag}') words='${choices.join(' ')}'; files=${isPath ? 'yes' : ''} ;;`,
      ),
  );
  return `_vitrine() {
  local word=\${COMP_WORDS[COMP_CWORD]} words='${names.join(' ')} help' files=
  if [ "$COMP_CWORD" -gt 1 ]; then words=; fi
  case "\${COMP_WORDS[1]}" in
    "$word") ;;
    help) words='${names.join(' ')}' ;;
    completions) words='bash zsh fish' ;;
${ofCommands.filter((line) => !line.startsWith('    completions)')).join('\n')}
  esac
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${ofValues.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [ -n "$files" ]; then compopt -o filenames; COMPREPLY+=($(compgen -f -- "$word")); fi
}
complete -F _vitrine vitrine
`;
}

function zsh(commands: Commands): string {
  const escapeText = (text: string) => text.replaceAll(/[[\]:\\]/g, '\\$&');
  const described = Object.entries(commands).map(([name, { help }]) => `    ${quote(`${name}:${help}`)}`);
  const option = ({ flag, placeholder, choices, isPath, help }: CommandOption) => {
    const action = choices.length ? `(${choices.join(' ')})` : isPath ? '_files' : ' ';
    return quote(
      `*--${flag}[${escapeText(help)}]${placeholder ? `:${escapeText(placeholder)}:${action}` : ''}`,
    );
  };
  const cases = Object.entries(commands).map(([name, command]) => {
    const words = name === 'completions' ? ['bash', 'zsh', 'fish'] : subcommandNames(command);
    const operand = words.length
      ? [quote(`1:command:(${words.join(' ')})`)]
      : takesPath(command.usage)
        ? [quote('*:file:_files')]
        : [];
    return `    ${name}) _arguments ${[...operand, ...findOptions(command).map(option)].join(' ')} ;;`;
  });
  return `#compdef vitrine
_vitrine() {
  local -a commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
    help) _describe command commands ;;
${cases.join('\n')}
  esac
}
# Installed as a file, this is the body of the function; otherwise it was sourced.
if [ "$funcstack[1]" = _vitrine ]; then _vitrine "$@"; else compdef _vitrine vitrine; fi
`;
}

function fish(commands: Commands): string {
  const lines = Object.entries(commands).flatMap(([name, command]) => {
    const of = `complete -c vitrine -n '__fish_seen_subcommand_from ${name}'`;
    const words = name === 'completions' ? ['bash', 'zsh', 'fish'] : subcommandNames(command);
    return [
      `complete -c vitrine -n __fish_use_subcommand -a ${name} -d ${quote(command.help)}`,
      ...(words.length ? [`${of} -a '${words.join(' ')}'`] : []),
      ...(takesPath(command.usage) ? [`${of} -F`] : []),
      ...findOptions(command).map(({ flag, placeholder, choices, isPath, help }) => {
        const values = choices.length ? ` -x -a '${choices.join(' ')}'` : isPath ? ' -r -F' : ' -x';
        return `${of} -l ${flag}${placeholder ? values : ''} -d ${quote(help)}`;
      }),
    ];
  });
  const help = `complete -c vitrine -n '__fish_seen_subcommand_from help' -a '${Object.keys(commands).join(' ')}'`;
  const first = 'complete -c vitrine -f\ncomplete -c vitrine -n __fish_use_subcommand -a help';
  return `${[first, help, ...lines].join('\n')}\n`;
}
