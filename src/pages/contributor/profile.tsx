// The part of a contributor's page in their own words.

import type { Profile } from '../../gallery/profiles/profile.ts';
import { type CardData, Cards } from '../home/cards.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { formatHost } from '../text/bare-links.ts';

const rel = 'me nofollow noopener ugc';

/** Plain text, with links where an address stands. */
function LinkedText({ text }: { text: string }) {
  const parts = text.split(/(\bhttps:\/\/[^\s<>"]*[^\s<>".,:;!?)\]}'])/);
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 && URL.canParse(part) ? (
          <a href={part} rel={rel}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </>
  );
}

export function ProfileWords({ profile: { about, links } }: { profile: Profile }) {
  return (
    <>
      {about && (
        <p class="about" dir="auto">
          <LinkedText text={about} />
        </p>
      )}
      {links.length > 0 && (
        <ul class="links">
          {links.map((link) => (
            <li>
              <a href={link} rel={rel} title={link}>
                {formatLink(link)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The host and the path, without what browsers do not show either. */
function formatLink(link: string): string {
  const { pathname } = new URL(link);
  return formatHost(link) + (pathname === '/' ? '' : pathname);
}

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
