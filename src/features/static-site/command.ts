// `vitrine static`: the gallery as a folder that needs no server.

import { OperatorError } from '#common/errors.ts';
import { defineCommand, printMessage } from '../../core/commands/command.ts';
import { openDatabaseAndFiles, openFiles } from '../../core/commands/open-files.ts';
import type { OpenOwnApp } from '../../core/commands/own-app.ts';
import { createPhaseProgress } from '../../core/commands/progress-bar.ts';
import { defineSetting, defineSwitch } from '../../core/settings/setting-values.ts';

export const createStaticCommand = (openApp: OpenOwnApp) =>
  defineCommand({
    usage: 'static FOLDER',
    help: 'Makes a folder with all pages, files and data of visitors, which any web host serves without a program.',
    examples: [
      'vitrine static archive --public-url https://gallery.example.org',
      'vitrine static archive --public-url https://example.org --warc archive.warc.gz',
    ],
    settings: ['database', 'files', 'publicUrl', 'timeZone', 'playerHosts'],
    moreSettings: {
      warc: defineSetting({
        flag: 'warc',
        placeholder: 'FILE',
        help: 'Also writes the same as a web archive (WARC 1.1).',
        read: String,
      }),
      withLookedAfter: defineSwitch(
        'with-looked-after',
        'With the public projects of accounts that a class looks after, which are left out otherwise.',
      ),
    },
    operand: 'the folder to make',
    async run(settings, folder, environment) {
      const { publicUrl: origin, warc, withLookedAfter } = settings;
      if (!origin)
        throw new OperatorError(
          'static needs --public-url: the address that the folder will have, such as https://gallery.example.org.',
        );
      const { makeStaticSite } = await import('./static-site.ts');
      const { progress, end } = createPhaseProgress();
      const result = await makeStaticSite({
        folder,
        origin,
        warc,
        withLookedAfter,
        progress,
        environment: {
          ...environment,
          VITRINE_TIME_ZONE: settings.timeZone,
          VITRINE_PLAYER_HOSTS: settings.playerHosts.join() || 'off',
        },
        files: await openFiles(settings),
        openApp,
        openSource: () => openDatabaseAndFiles(settings),
      }).finally(end);
      const { files, projects, missing, searchProblem } = result;
      if (searchProblem) printMessage(`There is no search: ${searchProblem}.`);
      for (const { url, problem } of missing) printMessage(`${url} is missing: ${problem}.`);
      printMessage(
        `${folder} has ${files.toLocaleString('en')} files of ${projects.toLocaleString('en')} projects and comments.`,
      );
      if (missing.length === 0) return 0;
      printMessage('Run the same command again to make the folder anew.');
      return 1;
    },
  });
