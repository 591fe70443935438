// What a project's page tells machines of the project: OpenGraph for previews, JSON-LD for search engines.

import { raw } from 'hono/html';
import { contributorPath, projectPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { formatInstant } from '../gallery/instant.ts';
import { type Media, mediaPath } from '../gallery/media/media.ts';
import type { Mentioned } from '../gallery/projects/find.ts';
import type { ContentType, Project } from '../gallery/projects/project.ts';
import { withoutTurns } from './layout.tsx';
import { excerpt } from './markdown.ts';

/** All of them are kinds of CreativeWork. */
const kinds: Record<ContentType, string> = {
  ...{ text: 'CreativeWork', photo: 'Photograph', question: 'Question', link: 'CreativeWork' },
  ...{ video: 'VideoObject', quote: 'Quotation', document: 'DigitalDocument', comment: 'Comment' },
};

interface Told {
  readonly project: Project;
  readonly source: Mentioned | undefined;
  readonly about: Mentioned | undefined;
  readonly media?: readonly Media[];
  readonly base: string;
  readonly zone: string;
}

export function ToldToMachines(told: Told) {
  const { project, media = [], base, zone } = told;
  const picture = pictureIn(media, base);
  const words = withoutTurns(excerpt(project.text, project.title));
  return (
    <>
      <meta property="og:site_name" content="Vitrine" />
      <meta property="og:type" content="article" />
      <meta property="og:title" content={withoutTurns(project.title)} />
      <meta property="og:url" content={base + projectPath(project)} />
      {words && <meta property="og:description" content={words} />}
      {picture && (
        <>
          <meta property="og:image" content={picture.url} />
          <meta property="og:image:width" content={String(picture.width)} />
          <meta property="og:image:height" content={String(picture.height)} />
          {picture.alt && <meta property="og:image:alt" content={withoutTurns(picture.alt)} />}
        </>
      )}
      <meta property="article:published_time" content={formatInstant(project.created, zone)} />
      <meta property="article:modified_time" content={formatInstant(project.modified, zone)} />
      <meta property="article:author" content={personOf(project, base).url} />
      <meta name="twitter:card" content={picture ? 'summary_large_image' : 'summary'} />
      <script type="application/ld+json">{raw(inScript(linkedData(told)))}</script>
    </>
  );
}

function linkedData({ project, media = [], source, about, base, zone }: Told) {
  const { rating_count, rating_sum, tags } = project;
  return {
    '@context': 'https://schema.org',
    ...work(project, base),
    '@type': kinds[project.content_type],
    identifier: project.uuid,
    abstract: excerpt(project.text, project.title) || undefined,
    dateCreated: formatInstant(project.created, zone),
    dateModified: formatInstant(project.modified, zone),
    image: pictureIn(media, base)?.url,
    keywords: tags ? tags.split(', ') : undefined,
    citation: project.link ?? undefined,
    isBasedOn: source && work(source, base),
    parentItem: about && work(about, base),
    aggregateRating:
      rating_count > 0
        ? {
            ...{ '@type': 'AggregateRating', ratingValue: rating_sum / rating_count },
            ...{ ratingCount: rating_count, bestRating: 5, worstRating: 1 },
          }
        : undefined,
  };
}

/** What a preview shows: wide enough for any, and no larger. */
function pictureIn(media: readonly Media[], base: string) {
  const first = media.find(({ type }) => type === 'image/webp');
  const size = first?.sizes.findLast(({ width }) => (width ?? 0) <= 1280) ?? first?.sizes[0];
  return first && size && { url: base + mediaPath(first.type, size), alt: first.alt, ...size };
}

function work(project: Mentioned, base: string) {
  return {
    ...{ '@type': 'CreativeWork', name: project.title, url: base + projectPath(project) },
    author: personOf(project, base),
  };
}

function personOf(person: Mentioned, base: string) {
  const url = base + contributorPath(person.contributor, person.username);
  return { '@type': 'Person', name: displayName(person), url };
}

/** No word of anybody's ends the element or opens a comment in it. */
function inScript(data: unknown): string {
  return JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
