import type { Feature } from '../../core/feature.ts';
import { ownAccount } from '../own-account/feature.ts';
import { signIn } from '../sign-in/feature.ts';
import { siteAdmin } from '../site-admin/feature.ts';
import { setupCommand } from './command.ts';
import { createSetupCode, setupPath } from './first-admin.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    setup: typeof en;
  }
}

export const setup: Feature = {
  name: 'setup',
  does: 'The first admin of a new gallery comes in by a link in the log of the server, and says what the gallery is for.',
  uses: [signIn, ownAccount, siteAdmin],
  pages: () => import('./setup-page.tsx'),
  commands: [{ after: 'serve', name: 'setup', command: setupCommand }],
  async notice(database, { only }, address) {
    const code = await createSetupCode(database);
    if (code === undefined) return undefined;
    if (only === 'api') return 'The gallery has no admin. `vitrine setup` makes one.';
    return `The gallery has no admin. Within an hour, this link makes one: ${address}${setupPath(code)}`;
  },
  texts: { en, de, es, ar },
};
