// Links to projects and contributors. `<bdi>` isolates the text direction of titles and names.

import { displayName } from '../../gallery/contributors/contributor.ts';
import { contributorPath, projectPath } from '../../gallery/paths.ts';
import { removed } from '../../gallery/project-status.ts';
import { hasOwnTitle } from '../../gallery/projects/address.ts';
import type { Project } from '../../gallery/projects/project.ts';
import type { Child } from '../../jsx/jsx-runtime.ts';
import { Avatar } from '../contributor/avatar.tsx';
import type { Translator } from '../messages/translator.ts';
import { useLayout } from './layout-data.ts';

/** The heading of a project where its text is shown too: a comment without a title does not say its first words twice. */
export const getHeading = ({ t }: Translator, project: Project): string =>
  hasOwnTitle(project) ? project.title : t('links.commentBy', { name: displayName(project) });

export function ProjectLink({ project }: { project: Pick<Project, 'uuid' | 'slug' | 'title'> }) {
  return (
    <a href={projectPath(project)}>
      <bdi>{project.title}</bdi>
    </a>
  );
}

type ProjectContributor = Pick<Project, 'contributor' | 'username' | 'first_name' | 'last_name' | 'avatar'>;

interface ContributorLinkProps {
  readonly project: ProjectContributor;
  readonly rel?: 'author';
  /** Of the h-entry around it, for programs that read pages (microformats). */
  readonly isAuthor?: boolean;
  readonly hasAvatar?: boolean;
  /** Behind a name that others may have too. */
  readonly hasUsername?: boolean;
}

export function ContributorLink({
  project,
  rel,
  isAuthor = false,
  hasAvatar = false,
  hasUsername = false,
}: ContributorLinkProps) {
  const { contributor, avatar } = project;
  const link = (
    <a
      class={isAuthor ? 'person p-author h-card' : 'person'}
      rel={rel}
      href={contributorPath(contributor, project.username)}
    >
      {hasAvatar && <Avatar person={{ contributor, name: displayName(project), avatar }} />}
      <bdi>{displayName(project)}</bdi>
    </a>
  );
  const { username } = project;
  // Some galleries came with email addresses as usernames.
  const showsUsername = hasUsername && username !== displayName(project) && !username.includes('@');
  if (!showsUsername && !useLayout().moderators?.has(contributor)) return link;
  return (
    <>
      {link}
      {showsUsername && <bdi> @{username}</bdi>}
      <ModeratorBadge contributor={contributor} />
    </>
  );
}

/** Behind the name of a moderator, so that nobody else can pass for one. */
export function ModeratorBadge({ contributor }: { contributor: number }) {
  const { moderators, language } = useLayout();
  if (!moderators?.has(contributor)) return null;
  return (
    <>
      {' '}
      <span class="role">{language.t('links.moderator')}</span>
    </>
  );
}

/** Its author and moderators find what was removed in lists too. */
export function RemovedBadge({ project }: { project: Pick<Project, 'status'> }) {
  const { language } = useLayout();
  return project.status === removed ? <span class="badge">{language.t('project.removed')}</span> : null;
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
