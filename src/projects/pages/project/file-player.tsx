// Programs that play in place: an operator says which site plays files with an ending. A poster leads to it; a click plays
// the file here, in a frame of that site. Nothing is loaded from there before the click, and nothing ever runs at our host.

import { mediaPath } from '../../../core/files/stored-files.ts';
import { colourOf } from '../../../core/pages/layout/colours.ts';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import type { PageContext } from '../../../core/pages/page.ts';
import { isPubliclyReadable } from '../../../core/project-status.ts';
import type { Media } from '../../media/media.ts';
import type { Project } from '../../project.ts';
import { Poster } from '../list/posters.tsx';

export interface PlayedFile {
  readonly file: Media;
  readonly address: URL;
}

/** The other site gets a file as any visitor: it has none of those that visitors may not see. */
export function findPlayedFiles(
  { filePlayers, origin }: Pick<PageContext, 'filePlayers' | 'origin'>,
  { visibility, status }: Pick<Project, 'visibility' | 'status'>,
  media: readonly Media[],
): PlayedFile[] {
  if (!['public', 'unlisted'].includes(visibility) || !isPubliclyReadable(status)) return [];
  return media.flatMap((file) => {
    const [size] = file.sizes;
    const player = filePlayers.find(({ ending }) => file.name.toLowerCase().endsWith(ending));
    if (!player || !size) return [];
    const url = encodeURIComponent(origin + mediaPath(file.type, size));
    const address = new URL(player.address.replaceAll('{url}', url));
    return address.origin === origin ? [] : [{ file, address }];
  });
}

export function FilePlayers({ project, played }: { project: Project; played: readonly PlayedFile[] }) {
  const { t } = useLanguage();
  return played.map(({ file, address }) => (
    <figure class="media video-player">
      <a
        href={address.href}
        rel="nofollow noopener"
        data-player={address.href}
        aria-label={t('player.play', { title: file.alt || file.name })}
      >
        <Poster type="video" colour={colourOf(project.id)} isHidden>
          {file.name}
        </Poster>
      </a>
      <figcaption class="faint">{t('player.runsAt', { name: file.name, host: address.host })}</figcaption>
    </figure>
  ));
}
