// What a project's page tells machines of the project: OpenGraph for previews, JSON-LD for search engines.

import { raw } from 'hono/html';
import { contributorPath, projectPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { formatInstant } from '../gallery/instant.ts';
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
  readonly base: string;
  readonly zone: string;
}

export function ToldToMachines(told: Told) {
  const { project, base, zone } = told;
  const words = withoutTurns(excerpt(project.text, project.title));
  return (
    <>
      <meta property="og:site_name" content="Vitrine" />
      <meta property="og:type" content="article" />
      <meta property="og:title" content={withoutTurns(project.title)} />
      <meta property="og:url" content={base + projectPath(project)} />
      {words && <meta property="og:description" content={words} />}
      <meta property="article:published_time" content={formatInstant(project.created, zone)} />
      <meta property="article:modified_time" content={formatInstant(project.modified, zone)} />
      <meta property="article:author" content={personOf(project, base).url} />
      <meta name="twitter:card" content="summary" />
      <script type="application/ld+json">{raw(inScript(linkedData(told)))}</script>
    </>
  );
}

function linkedData({ project, source, about, base, zone }: Told) {
  const { rating_count, rating_sum, tags } = project;
  return {
    '@context': 'https://schema.org',
    ...work(project, base),
    '@type': kinds[project.content_type],
    identifier: project.uuid,
    abstract: excerpt(project.text, project.title) || undefined,
    dateCreated: formatInstant(project.created, zone),
    dateModified: formatInstant(project.modified, zone),
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
