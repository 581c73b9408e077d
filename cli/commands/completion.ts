// `sluice completion`: a script for the shell, from the same table that the help comes from.

import { EXIT } from '../../model/errors.js';
import type { CommandSpec } from '../command-spec.js';
import type { Io } from '../io.js';
import { misuse } from '../refuse.js';

const GLOBALS = ['--json', '--quiet', '--verbose', '--help'];

type Commands = readonly CommandSpec[];

const SHELLS: Record<string, (commands: Commands) => string[]> = { bash, zsh, fish };

export function run(shell: string, io: Io, commands: Commands): Promise<number> {
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script === undefined)
    return Promise.resolve(misuse(io, `no completion for "${shell}"; there is one for ${Object.keys(SHELLS).join(', ')}`));
  for (const line of script(commands)) io.out(line);
  return Promise.resolve(EXIT.ok);
}

function names(commands: Commands): string {
  return commands.map(({ name }) => name).join(' ');
}

function longFlags(spec: CommandSpec): string[] {
  return [
    ...(spec.options ?? []).filter(({ hidden }) => hidden !== true).map(({ flags }) => /--[a-z-]+/.exec(flags)?.[0] ?? ''),
    ...GLOBALS,
  ].filter((flag) => flag !== '');
}

function bash(commands: Commands): string[] {
  const cases = commands.map((spec) => `    ${spec.name}) words="${longFlags(spec).join(' ')}" ;;`);
  return [
    '# sluice completion for bash: source <(sluice completion bash)',
    '_sluice() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" words=""',
    '  case "${COMP_CWORD}:${COMP_WORDS[1]}" in',
    `    1:*) COMPREPLY=($(compgen -W "${names(commands)}" -- "$word")); return ;;`,
    '  esac',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '}',
    'complete -o default -F _sluice sluice',
  ];
}

function zsh(commands: Commands): string[] {
  const cases = commands.map((spec) => `    ${spec.name}) compadd -- ${longFlags(spec).join(' ')}; _files ;;`);
  return [
    '#compdef sluice',
    '# sluice completion for zsh: source <(sluice completion zsh)',
    '_sluice() {',
    `  if (( CURRENT == 2 )); then compadd -- ${names(commands)}; return; fi`,
    '  case "${words[2]}" in',
    ...cases,
    '  esac',
    '}',
    'compdef _sluice sluice',
  ];
}

function fish(commands: Commands): string[] {
  const seen = `__fish_seen_subcommand_from`;
  const perCommand = commands.flatMap((spec) =>
    longFlags(spec).map((flag) => `complete -c sluice -n '${seen} ${spec.name}' -l ${flag.slice(2)}`),
  );
  const lines = commands.map(
    ({ name, text }) => `complete -c sluice -f -n __fish_use_subcommand -a ${name} -d '${text.replace(/'/g, "\\'")}'`,
  );
  return ['# sluice completion for fish: sluice completion fish | source', ...lines, ...perCommand];
}
