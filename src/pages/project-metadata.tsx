// The metadata in the head of a project's page: Open Graph for previews, JSON-LD for search engines.

import { raw } from 'hono/html';
import { displayName } from '../gallery/contributors/contributor.ts';
import { formatInstant } from '../gallery/instant.ts';
import { type Media, mediaPath } from '../gallery/media/media.ts';
import { contributorPath, projectPath } from '../gallery/paths.ts';
import type { ProjectReference } from '../gallery/projects/find.ts';
import type { ContentType, Project } from '../gallery/projects/project.ts';
import { parseTags } from '../gallery/projects/tags.ts';
import { removeBidiControls } from './layout.tsx';
import { useLayout } from './layout-data.ts';
import { excerpt } from './markdown.ts';

/** All are subtypes of CreativeWork. */
const schemaTypes: Record<ContentType, string> = {
  text: 'CreativeWork',
  photo: 'Photograph',
  question: 'Question',
  link: 'CreativeWork',
  video: 'VideoObject',
  quote: 'Quotation',
  document: 'DigitalDocument',
  comment: 'Comment',
};

interface MetadataProps {
  readonly project: Project;
  readonly copiedFrom: ProjectReference | undefined;
  readonly parent: ProjectReference | undefined;
  readonly media?: readonly Media[];
  readonly origin: string;
}

export function ProjectMetadata(props: MetadataProps) {
  const { project, media = [], origin } = props;
  const { timeZone } = useLayout();
  const picture = findPreviewImage(media, origin);
  const description = removeBidiControls(excerpt(project.text, project.title));
  return (
    <>
      <meta property="og:site_name" content="Vitrine" />
      <meta property="og:type" content="article" />
      <meta property="og:title" content={removeBidiControls(project.title)} />
      <meta property="og:url" content={origin + projectPath(project)} />
      {description && <meta property="og:description" content={description} />}
      {picture && (
        <>
          <meta property="og:image" content={picture.url} />
          <meta property="og:image:width" content={String(picture.width)} />
          <meta property="og:image:height" content={String(picture.height)} />
          {picture.alt && <meta property="og:image:alt" content={removeBidiControls(picture.alt)} />}
        </>
      )}
      <meta property="article:published_time" content={formatInstant(project.created, timeZone)} />
      <meta property="article:modified_time" content={formatInstant(project.modified, timeZone)} />
      <meta property="article:author" content={toPerson(project, origin).url} />
      <meta name="twitter:card" content={picture ? 'summary_large_image' : 'summary'} />
      <script type="application/ld+json">{raw(serializeForScript(toJsonLd(props, timeZone)))}</script>
    </>
  );
}

function toJsonLd({ project, media = [], copiedFrom, parent, origin }: MetadataProps, timeZone: string) {
  const { rating_count, rating_sum } = project;
  return {
    '@context': 'https://schema.org',
    ...toCreativeWork(project, origin),
    '@type': schemaTypes[project.content_type],
    identifier: project.uuid,
    abstract: excerpt(project.text, project.title) || undefined,
    dateCreated: formatInstant(project.created, timeZone),
    dateModified: formatInstant(project.modified, timeZone),
    image: findPreviewImage(media, origin)?.url,
    keywords: project.tags ? parseTags(project) : undefined,
    citation: project.link ?? undefined,
    isBasedOn: copiedFrom && toCreativeWork(copiedFrom, origin),
    parentItem: parent && toCreativeWork(parent, origin),
    aggregateRating:
      rating_count > 0
        ? {
            '@type': 'AggregateRating',
            ratingValue: rating_sum / rating_count,
            ratingCount: rating_count,
            bestRating: 5,
            worstRating: 1,
          }
        : undefined,
  };
}

/** The largest size of the first picture that previews use: at most 1280 pixels wide. */
function findPreviewImage(media: readonly Media[], origin: string) {
  const first = media.find(({ type }) => type === 'image/webp');
  const size = first?.sizes.findLast(({ width }) => (width ?? 0) <= 1280) ?? first?.sizes[0];
  return first && size && { url: origin + mediaPath(first.type, size), alt: first.alt, ...size };
}

function toCreativeWork(project: ProjectReference, origin: string) {
  return {
    '@type': 'CreativeWork',
    name: project.title,
    url: origin + projectPath(project),
    author: toPerson(project, origin),
  };
}

function toPerson(person: ProjectReference, origin: string) {
  const url = origin + contributorPath(person.contributor, person.username);
  return { '@type': 'Person', name: displayName(person), url };
}

/** Escapes the characters with which a text could end the script element or open a comment in it. */
function serializeForScript(data: unknown): string {
  return JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
