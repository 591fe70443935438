import { OperatorError } from '#common/errors.ts';
import {
  type Command,
  defineCommand,
  isDone,
  plural,
  printMessage,
  runStoppableJob,
} from '../../core/commands/command.ts';
import { openDatabaseAndFiles } from '../../core/commands/open-files.ts';
import { listFeatures } from '../../core/feature.ts';
import type { SettingName, Settings } from '../../core/settings/settings.ts';

export const changeArchiveJob = 'archive of changes';

/** Something that is done with the changes. */
interface Operation<Name extends SettingName> {
  readonly name: string;
  /** For `--help`, behind "vitrine changes …". */
  readonly does: string;
  readonly example: string;
  readonly settings: readonly Name[];
  /** `whenStopped` returns what says that the process is to end. */
  run(settings: Settings<Name>, whenStopped: () => AbortSignal): Promise<void>;
}

type AnyOperation = Omit<Operation<never>, 'settings'> & { readonly settings: readonly SettingName[] };

declare module '../../core/feature.ts' {
  interface Feature {
    /** More that `vitrine changes` does. */
    readonly changesOperations?: readonly AnyOperation[];
  }
}

export const defineOperation = <Name extends SettingName>(operation: Operation<Name>): AnyOperation =>
  operation as unknown as AnyOperation;

export const archive = defineOperation({
  name: 'archive',
  does: 'moves changes that are older than `--keep-changes` into compressed files, at most ten million at once',
  example: 'vitrine changes archive --keep-changes 400d',
  settings: ['database', 'files', 'keepChanges', 'unlessNewer'],
  async run(settings) {
    const { keepChanges } = settings;
    if (keepChanges === undefined)
      throw new OperatorError('It is: vitrine changes archive --keep-changes 400d');
    const { archiveChanges, changesPerFile } = await import('./archive.ts');
    await using gallery = await openDatabaseAndFiles(settings);
    const outcome = await runStoppableJob(gallery.database, changeArchiveJob, settings, async (confirm) => ({
      files: await archiveChanges(gallery, keepChanges, confirm),
    }));
    if (!isDone(outcome, settings, 'the archive of changes', 'archive of changes')) return;
    const { files } = outcome;
    if (files > 0) console.log(`${files * changesPerFile} changes moved into ${plural(files, 'file')}.`);
    else printMessage(`There are fewer than ${changesPerFile} such changes, which a file has.`);
  },
});

const joinWith = (separator: string, lastSeparator: string, texts: readonly string[]): string =>
  [texts.slice(0, -1).join(separator), texts.at(-1)].filter(Boolean).join(lastSeparator);

/** With what all features do. */
export function createChangesCommand(): Command {
  const operations = listFeatures().flatMap(({ changesOperations = [] }) => changesOperations);
  const names = operations.map(({ name }) => name);
  const calls = names.map((name) => `vitrine changes ${name}`);
  const help = joinWith(
    '; ',
    '; or ',
    operations.map(({ does }) => does),
  );
  return defineCommand({
    usage: `changes ${names.join('|')}`,
    help: `${help.charAt(0).toUpperCase()}${help.slice(1)}.`,
    examples: operations.map(({ example }) => example),
    settings: [...new Set(operations.flatMap(({ settings }) => settings))],
    operand: `the word ${joinWith(', ', ' or ', names)}`,
    async run(settings, operand) {
      const operation = operations.find(({ name }) => name === operand);
      if (!operation) throw new OperatorError(`It is: ${joinWith(', ', ', or ', calls)}`);
      await operation.run(settings as never, abortWhenStopped);
      return 0;
    },
  });
}

function abortWhenStopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  return stop.signal;
}
