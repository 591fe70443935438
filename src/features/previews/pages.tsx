// The previews in the heads of pages, and their images.

import { displayName } from '../../core/contributors/contributor.ts';
import { formatInstant } from '../../core/instant.ts';
import { cached } from '../../core/pages/layout/cached.tsx';
import { useLayout } from '../../core/pages/layout/layout-data.ts';
import type { Sections } from '../../core/pages/page.ts';
import { contributorPath, projectPath } from '../../core/paths.ts';
import { findPreviewImage } from '../../projects/pages/project/metadata.tsx';
import type { Project } from '../../projects/project.ts';
import { contributorPreview, projectPreview, sitePreview } from './images.ts';
import { OpenGraph, previewSize } from './open-graph.tsx';

export { routes } from './images.ts';

interface ProjectGraphProps {
  readonly project: Project;
  readonly abstract: string;
  /** Its own picture. */
  readonly picture: ReturnType<typeof findPreviewImage>;
  readonly origin: string;
}

const ProjectGraph = cached(function ProjectGraph({ project, abstract, picture, origin }: ProjectGraphProps) {
  const { timeZone, site, language } = useLayout();
  const { title, created, modified, contributor, username } = project;
  const image = picture ?? {
    url: origin + projectPreview(project, site).path,
    alt: language.t('project.posterAlt', { title, name: displayName(project) }),
    ...previewSize,
  };
  return (
    <>
      <OpenGraph
        type="article"
        title={title}
        url={origin + projectPath(project)}
        description={abstract}
        image={image}
      />
      <meta property="article:published_time" content={formatInstant(created, timeZone)} />
      <meta property="article:modified_time" content={formatInstant(modified, timeZone)} />
      <meta property="article:author" content={origin + contributorPath(contributor, username)} />
    </>
  );
});

export const sections: Sections = {
  async 'home.head'({ origin, layout: { site } }, { title, url, description, image }) {
    const ofSite = { url: origin + sitePreview(site).path, alt: site.name, ...previewSize };
    return (
      <OpenGraph
        type="website"
        title={title}
        url={url}
        image={image ?? ofSite}
        {...(description && { description })}
      />
    );
  },
  'project.head': async ({ origin }, { project, abstract, media }) => (
    <ProjectGraph
      project={project}
      abstract={abstract}
      picture={findPreviewImage(media, origin)}
      origin={origin}
    />
  ),
  async 'contributor.head'({ origin, layout: { site } }, contributor) {
    const name = displayName(contributor);
    const image = { url: origin + contributorPreview(contributor, site).path, alt: name, ...previewSize };
    const url = origin + contributorPath(contributor.id, contributor.username);
    return <OpenGraph type="profile" title={name} url={url} image={image} />;
  },
};
