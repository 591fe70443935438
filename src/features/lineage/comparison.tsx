// Compares a remix with its source: the pictures side by side, and the differences of the texts.

import { NotFound } from '#common/errors.ts';
import { compareTexts } from '../../core/markdown/rendering.ts';
import { ContributorLink } from '../../core/pages/layout/components.tsx';
import { Page } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import {
  anyone,
  type PageContext,
  type PageDependencies,
  page,
  type Sections,
} from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { isAnonymous } from '../../core/viewer/viewer.ts';
import { hasSameContent } from '../../projects/history/history.ts';
import type { Media } from '../../projects/media/media.ts';
import { createProjectPage, findIfVisible, loadFiles } from '../../projects/pages/project/find-project.ts';
import { findPictures, hasPictures, PictureLink } from '../../projects/pages/project/shown-files.tsx';
import { projectStylesheet } from '../../projects/pages/project-assets.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';
import { compareContents, TextDifference, toContent } from '../history/history-page.tsx';
import { comparisonPath } from './paths.ts';

const sizes = '(min-width: 48rem) 22rem, 46vw';

interface Comparison {
  readonly source: Project;
  readonly before: Media;
  readonly after: Media;
}

const hashOf = ({ sizes }: Media) => sizes.at(-1)?.hash;

/** The first picture of either that the other has not. If the remix has all pictures of its source, the first of these. */
function comparePictures(
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

function PictureComparison({ source, before, after }: Comparison) {
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

async function loadPictureComparison(
  { projects }: Pick<PageDependencies, 'projects'>,
  source: Project,
  media: readonly Media[],
): Promise<Comparison | undefined> {
  if (!hasPictures(media)) return undefined;
  const sourceMedia = await projects.loadMedia([source.id]);
  return comparePictures(source, sourceMedia.get(source.id) ?? [], media);
}

/** On the page of the remix. */
export const sections: Sections = {
  'project.remix': async (context, { source, media }) => {
    const comparison = await loadPictureComparison(context, source, media);
    return comparison && <PictureComparison {...comparison} />;
  },
};

async function renderComparisonPage(context: PageContext, project: Project) {
  const { projects, viewer, origin, t, rich } = context;
  const { copied_from } = project;
  const source = copied_from === null ? undefined : await findIfVisible(projects.find(viewer, copied_from));
  if (!source) throw new NotFound();
  const [before, after] = [toContent(source), toContent(project)];
  const comparisons = compareContents(before, after);
  const compared = await compareTexts(comparisons);
  const pictures = await loadPictureComparison(context, source, await loadFiles(context, project));
  return context.render(
    <Page
      title={`${project.title}: ${t('comparison.changes')}`}
      canonical={`${origin}${comparisonPath(project)}`}
      isPublic={isAnonymous(viewer)}
      isIndexed={false}
      stylesheets={[projectStylesheet]}
    >
      <div class="history">
        <p class="eyebrow">
          <a href={projectPath(project)}>
            <bdi>{project.title}</bdi>
          </a>
        </p>
        <h1>{t('comparison.changes')}</h1>
        <p class="byline">
          {rich('project.remixOf', {
            project: <ProjectLink project={source} />,
            name: <ContributorLink project={source} />,
          })}
        </p>
        {hasSameContent(before, after) && <p class="empty">{t('comparison.same')}</p>}
        {comparisons.map(({ label }, index) => (
          <TextDifference label={label} parts={compared[index]} />
        ))}
        {pictures && <PictureComparison {...pictures} />}
      </div>
    </Page>,
  );
}

export const comparisonRoutes = [
  page('/content/:uuid/:slug/comparison/', anyone, createProjectPage(comparisonPath, renderComparisonPage)),
];
