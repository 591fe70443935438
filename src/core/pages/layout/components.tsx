// Small parts of pages: names and links, dates, notices and lines of facts. `<bdi>` isolates the text direction of titles and
// names.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { Pager as Links, type PagerProps } from '#rest/renderers/table.tsx';
import { type ContributorNames, displayName } from '../../contributors/contributor.ts';
import { formatInstant, type Instant } from '../../instant.ts';
import { contributorPath } from '../../paths.ts';
import { Avatar } from './avatar.tsx';
import { useLanguage, useLayout } from './layout-data.ts';

export const NameLink = ({ href, name }: { href: string; name: string }) => (
  <a href={href}>
    <bdi>{name}</bdi>
  </a>
);

interface LinkItemProps extends LinkProps {
  /** Set for the page that is shown, or for the list that is chosen on it. */
  readonly current?: 'page' | 'true' | false;
}

export const LinkItem = ({ href, current, children }: LinkItemProps) => (
  <li>
    <a href={href} aria-current={current || undefined}>
      {children}
    </a>
  </li>
);

/** A choice between parts of a page, or lists on it. */
export const LinkTabs = ({ label, children }: { label: string; children: Child }) => (
  <nav class="list-filters" aria-label={label}>
    <ul class="types all-shown">{children}</ul>
  </nav>
);

interface LinkProps {
  readonly href: string;
  readonly children: Child;
}

/** A link on a line of its own. */
export const LinkLine = ({ href, children }: LinkProps) => (
  <p>
    <a href={href}>{children}</a>
  </p>
);

/** A link that looks like a button, but not like the first one of its page. */
export const QuietLink = ({ href, children }: LinkProps) => (
  <a class="button quiet" href={href}>
    {children}
  </a>
);

/** Takes the place of a button that visitors do not have. After signing in, they come back. */
export const SignInButton = ({ href = '/sign-in/', children }: { href?: string; children: Child }) => (
  <a class="button quiet" href={href} rel="nofollow">
    {children}
  </a>
);

/** A name without a link. */
export const BoldName = ({ name }: { name: string }) => (
  <b>
    <bdi>{name}</bdi>
  </b>
);

/** The page of an account, for moderators. */
export const accountPath = (username: string) => `/moderation/people/?${new URLSearchParams({ username })}`;

type ProjectContributor = ContributorNames & {
  readonly contributor: number;
  readonly avatar?: string | null;
};

interface ContributorLinkProps {
  readonly project: ProjectContributor;
  readonly rel?: 'author';
  /** Of the h-entry around it, for programs that read pages (microformats). */
  readonly isAuthor?: boolean;
  readonly hasAvatar?: boolean;
  /** Behind a name that others may have too. */
  readonly hasUsername?: boolean;
}

export function ContributorLink(props: ContributorLinkProps) {
  const { project, rel, isAuthor, hasAvatar, hasUsername } = props;
  const { contributor, username, avatar } = project;
  const link = (
    <a
      class={isAuthor ? 'person p-author h-card' : 'person'}
      rel={rel}
      href={contributorPath(contributor, username)}
    >
      {hasAvatar && <Avatar person={{ contributor, name: displayName(project), avatar }} />}
      <bdi>{displayName(project)}</bdi>
    </a>
  );
  // Some galleries came with email addresses as usernames.
  const showsUsername = hasUsername && username !== displayName(project) && !username.includes('@');
  if (!showsUsername && !useLayout().moderators?.has(contributor)) return link;
  return (
    <>
      {link}
      {showsUsername && [' ', <bdi>@{username}</bdi>]}
      <ModeratorBadge contributor={contributor} />
    </>
  );
}

/** Behind the name of a moderator or an admin, so that nobody else can pass for one. */
export function ModeratorBadge({ contributor }: { contributor: number }) {
  const { moderators, language } = useLayout();
  const role = moderators?.get(contributor);
  if (!role) return null;
  return (
    <>
      {' '}
      <span class="role">{language.t(role === 'admin' ? 'role.admin' : 'links.moderator')}</span>
    </>
  );
}

// Notices at the top of a page, which a screen reader announces.

export const Notice = ({ children }: { children: Child }) => (
  <p class="notice" role="status">
    {children}
  </p>
);

/** A secret that is shown once, in the response that created it. */
export const SecretNotice = ({ label, secret }: { label: string; secret: string }) => (
  <div class="notice" role="status">
    <p>{label}</p>
    <pre class="secret">{secret}</pre>
  </div>
);

/** The words of a person in a report or about a decision. */
export const ReportText = ({ text }: { text: string }) => (
  <p class="report-text" dir="auto">
    {text}
  </p>
);

/** Facts about something, below its name. Parts that are missing are left out. */
export const Byline = ({ parts }: { parts: readonly Child[] }) => <p class="byline">{withDots(parts)}</p>;

export const withDots = (parts: readonly Child[]): Child =>
  parts.filter(Boolean).map((part, index) => [index > 0 && ' · ', part]);

interface RowsProps {
  /** The sentence if there are none. */
  readonly empty: string;
  readonly children: readonly Child[];
}

export const Rows = ({ empty, children }: RowsProps) =>
  children.length === 0 ? <p class="empty">{empty}</p> : <ul class="rows">{children}</ul>;

/** A term and its value in a list of facts. */
export const Fact = ({ name, children }: { name: string; children: Child }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** HTML allows three digits of a second at most. */
const toDatetime = (iso: string) => iso.replace(/(\.\d{3})\d{3}/, '$1');

/** Of an h-entry, for programs that read pages (microformats). */
type DateProperty = 'dt-published' | 'dt-updated';

interface DateTextProps {
  readonly instant: Instant;
  readonly property?: DateProperty;
  /** Of the last weeks, a script (site.js) says how long ago it is: only where the words around it go with that. */
  readonly isAgo?: boolean;
}

/** A date for people, with the time in the `datetime` attribute. */
export function DateText({ instant, property, isAgo = false }: DateTextProps) {
  const iso = formatInstant(instant, useLayout().timeZone);
  return (
    <time class={property} datetime={toDatetime(iso)} data-ago={isAgo ? '' : undefined}>
      {useLanguage().formatDate(iso)}
    </time>
  );
}

/** A date with the time of day, which a script (site.js) puts into the time zone of the browser, as that of fields is. */
export function DateTimeText({ instant }: { instant: Instant }) {
  const iso = formatInstant(instant, useLayout().timeZone);
  return (
    <time datetime={toDatetime(iso)} data-ago="exact">
      {useLanguage().formatDateTime(iso)}
    </time>
  );
}

interface PagerTextsProps extends PagerProps {
  /** The number of items on this page, for the script that loads more pages below the first one. */
  readonly loadedCount?: number;
}

/** The links to the pages of a list, in the language of the page. */
export function Pager({ loadedCount, ...props }: PagerTextsProps) {
  const { t, formatNumber } = useLanguage();
  const texts = {
    pages: t('pager.pages'),
    previous: t('pager.previous'),
    next: t('pager.next'),
    page: (number: number) => t('pager.page', { number }),
    formatNumber,
  };
  const attributes =
    loadedCount === undefined
      ? undefined
      : { 'data-load-more': t('list.loadMore'), 'data-loaded': t('list.loaded', { count: loadedCount }) };
  return <Links {...props} texts={texts} attributes={attributes} />;
}
