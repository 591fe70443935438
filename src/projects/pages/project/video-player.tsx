// A linked video: a lit screen that leads to the other site. A click plays it here instead, in the other site's player, if
// the operator allows its host. Nothing is loaded from there before the click.

import { formatHost } from '../../../core/markdown/bare-links.ts';
import { colourOf } from '../../../core/pages/layout/colours.ts';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import type { Project } from '../../project.ts';
import { Poster } from '../list/posters.tsx';

interface PlayerHost {
  readonly host: string;
  /** The path of the player for a link; undefined if the link is not one of its videos. */
  findPath(link: URL): string | undefined;
}

const youTubeId = /^[\w-]{11}$/;

function findYouTubePath({ hostname, pathname, searchParams }: URL): string | undefined {
  const host = hostname.replace(/^(www|m|music)\./, '');
  const [, first, second] = pathname.split('/');
  const id =
    host === 'youtu.be'
      ? first
      : host === 'youtube.com' &&
        (['shorts', 'live', 'embed'].includes(first ?? '') ? second : searchParams.get('v'));
  return id && youTubeId.test(id) ? `/embed/${id}?autoplay=1` : undefined;
}

const knownPlayers: readonly PlayerHost[] = [
  { host: 'www.youtube-nocookie.com', findPath: findYouTubePath },
  {
    host: 'player.vimeo.com',
    findPath({ hostname, pathname }) {
      const [, id] = /^\/(\d{1,12})\/?$/.exec(pathname) ?? [];
      return id && hostname.replace(/^www\./, '') === 'vimeo.com' ? `/video/${id}?autoplay=1` : undefined;
    },
  },
];

/** PeerTube's player is at the host of the video. */
function findPeerTubePath({ pathname }: URL): string | undefined {
  const [, id] = /^\/(?:w|videos\/watch)\/([\w-]{1,40})\/?$/.exec(pathname) ?? [];
  return id && `/videos/embed/${id}?autoplay=1`;
}

/** Where a linked video plays. */
export interface Player {
  readonly origin: string;
  readonly path: string;
}

/** The player of a linked video, if the operator allows its host. */
export function findPlayer(
  { content_type, link }: Pick<Project, 'content_type' | 'link'>,
  allowedHosts: readonly string[],
): Player | undefined {
  const url = content_type === 'video' && link ? URL.parse(link) : null;
  if (!url) return undefined;
  const players = [...knownPlayers, { host: url.hostname, findPath: findPeerTubePath }];
  for (const { host, findPath } of players) {
    const path = allowedHosts.includes(host) ? findPath(url) : undefined;
    if (path) return { origin: `https://${host}`, path };
  }
  return undefined;
}

interface VideoPlayerProps {
  readonly project: Project;
  readonly link: string;
  /** Undefined if the video plays only where it is. */
  readonly player: Player | undefined;
}

export function VideoPlayer({ project, link, player }: VideoPlayerProps) {
  const { t } = useLanguage();
  return (
    <figure class="media video-player">
      <a
        href={link}
        rel="nofollow noopener ugc"
        data-player={player && player.origin + player.path}
        aria-label={t('player.play', { title: project.title })}
      >
        <Poster type="video" colour={colourOf(project.id)} isHidden>
          {project.title}
        </Poster>
      </a>
      <figcaption class="faint">
        {t(player ? 'player.from' : 'player.at', { host: formatHost(link) })}
      </figcaption>
    </figure>
  );
}
