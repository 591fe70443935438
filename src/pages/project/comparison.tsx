// The pictures of a remix and of its source side by side, where they differ.

import type { Media } from '../../gallery/media/media.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { ProjectLink } from '../layout/components.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { findPictures, PictureLink } from './files.tsx';

const sizes = '(min-width: 48rem) 22rem, 46vw';

export interface Comparison {
  readonly source: Project;
  readonly before: Media;
  readonly after: Media;
}

const hashOf = ({ sizes }: Media) => sizes.at(-1)?.hash;

/** The first picture of either that the other has not. If the remix has all pictures of its source, the first of these. */
export function comparePictures(
  source: Project,
  sourceMedia: readonly Media[],
  media: readonly Media[],
): Comparison | undefined {
  const [before, after] = [findPictures(sourceMedia), findPictures(media)];
  const findOwn = (pictures: readonly Media[], others: readonly Media[]) => {
    const hashes = new Set(others.map(hashOf));
    return pictures.find((picture) => !hashes.has(hashOf(picture)));
  };
  const [replaced, added] = [findOwn(before, after) ?? before[0], findOwn(after, before)];
  return replaced && added && { source, before: replaced, after: added };
}

export function PictureComparison({ source, before, after }: Comparison) {
  const { t } = useLanguage();
  return (
    <section class="comparison" aria-labelledby="comparison">
      <h2 id="comparison">{t('comparison.title')}</h2>
      <div class="compared">
        <figure>
          <PictureLink media={before} sizes={sizes} eager={false} />
          <figcaption>
            <ProjectLink project={source} />
          </figcaption>
        </figure>
        <figure>
          <PictureLink media={after} sizes={sizes} eager={false} />
          <figcaption>{t('comparison.remix')}</figcaption>
        </figure>
      </div>
    </section>
  );
}
