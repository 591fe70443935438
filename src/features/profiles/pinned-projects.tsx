// The projects that somebody shows above all others.

import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { type CardData, Cards } from '../../projects/pages/list/cards.tsx';

export function PinnedProjects({ data }: { data: CardData }) {
  const { t } = useLanguage();
  if (data.projects.length === 0) return null;
  return (
    <section aria-labelledby="pinned">
      <h2 id="pinned">{t('profile.pinned')}</h2>
      <Cards data={data} level="h3" hidesContributor />
    </section>
  );
}
