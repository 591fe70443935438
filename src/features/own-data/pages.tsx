import type { Child } from '#rest/jsx/jsx-runtime.ts';
import type { Sections } from '../../core/pages/page.ts';

export { importOwnDataRoutes as routes } from './import-page.tsx';

export const sections: Sections = {
  async 'account.aside'({ rich }) {
    const link = (text: Child) => (
      <a href="/api/v1/me/dump/" download>
        {text}
      </a>
    );
    return <p>{rich('account.download', { link })}</p>;
  },
};
