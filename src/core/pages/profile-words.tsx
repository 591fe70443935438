// The words and links in which somebody says who they are.

import { formatHost } from '../markdown/bare-links.ts';

interface Words {
  readonly about: string;
  readonly links: readonly string[];
}

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

export function ProfileWords({ profile: { about, links } }: { profile: Words }) {
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
