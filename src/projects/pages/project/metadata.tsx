// The metadata in the head of a project's page: JSON-LD for search engines.

import { raw } from '#rest/jsx/jsx-runtime.ts';
import { displayName } from '../../../core/contributors/contributor.ts';
import { mediaPath } from '../../../core/files/stored-files.ts';
import { formatInstant } from '../../../core/instant.ts';
import { aboutLicense } from '../../../core/licenses.ts';
import { excerpt } from '../../../core/markdown/markdown.ts';
import { cached } from '../../../core/pages/layout/cached.tsx';
import { useLayout } from '../../../core/pages/layout/layout-data.ts';
import { contributorPath, projectPath } from '../../../core/paths.ts';
import type { SiteSettings } from '../../../core/site/site-fields.ts';
import type { Translator } from '../../../core/texts/translator.ts';
import type { Media } from '../../media/media.ts';
import type { Project } from '../../project.ts';
import type { ProjectReference } from '../../reading/find-projects.ts';
import { parseTags } from '../../tags.ts';
import { onPages } from '../content-types.ts';
import { creditText } from './share.tsx';

/** All are subtypes of CreativeWork. */
interface MetadataProps {
  readonly project: Project;
  readonly copiedFrom: ProjectReference | undefined;
  readonly parent: ProjectReference | undefined;
  readonly media?: readonly Media[];
  /** The first ones of a collection. */
  readonly parts?: readonly Project[] | undefined;
  /** To a question. */
  readonly answers?: { readonly accepted: Project | undefined; readonly count: number };
  /** The beginning of the text. */
  readonly abstract: string;
  readonly origin: string;
}

export const ProjectMetadata = cached(function ProjectMetadata(props: MetadataProps) {
  const { timeZone, site, language } = useLayout();
  return (
    <script type="application/ld+json">
      {raw(serializeForScript(toJsonLd(props, timeZone, site, language)))}
    </script>
  );
});

function toJsonLd(
  { project, media = [], parts, abstract, copiedFrom, parent, answers, origin }: MetadataProps,
  timeZone: string,
  { ratings }: SiteSettings,
  language: Translator,
) {
  const { rating_count, rating_sum } = project;
  const work = {
    ...toCreativeWork(project, origin),
    '@type': onPages(project.content_type).schemaType,
    identifier: project.uuid,
    abstract: abstract || undefined,
    dateCreated: formatInstant(project.created, timeZone),
    dateModified: formatInstant(project.modified, timeZone),
    image: findPreviewImage(media, origin)?.url,
    keywords: project.tags ? parseTags(project) : undefined,
    citation: project.link ?? undefined,
    license: project.license ? aboutLicense(project.license).url : undefined,
    creditText: project.license ? creditText(language, project, project.license, origin) : undefined,
    isBasedOn: copiedFrom && toCreativeWork(copiedFrom, origin),
    hasPart: parts?.map((part) => toCreativeWork(part, origin)),
    parentItem: parent && toCreativeWork(parent, origin),
    aggregateRating:
      rating_count > 0 && ratings !== 'heart'
        ? {
            '@type': 'AggregateRating',
            ratingValue: rating_sum / rating_count,
            ratingCount: rating_count,
            bestRating: 5,
            worstRating: 1,
          }
        : undefined,
  };
  const context = { '@context': 'https://schema.org' };
  if (project.content_type !== 'question') return { ...context, ...work };
  const acceptedAnswer = answers?.accepted && {
    ...toCreativeWork(answers.accepted, origin),
    '@type': 'Answer',
    text: excerpt(answers.accepted.text, answers.accepted.title, 600),
    dateCreated: formatInstant(answers.accepted.created, timeZone),
  };
  return {
    ...context,
    '@type': 'QAPage',
    mainEntity: { ...work, answerCount: answers?.count, acceptedAnswer },
  };
}

/** The largest size of the first picture that previews use: at most 1280 pixels wide. */
export function findPreviewImage(media: readonly Media[], origin: string) {
  const first = media.find(({ type }) => type === 'image/webp');
  const size = first?.sizes.findLast(({ width }) => (width ?? 0) <= 1280) ?? first?.sizes[0];
  return first && size && { url: origin + mediaPath(first.type, size), alt: first.alt, ...size };
}

export type PreviewImage = NonNullable<ReturnType<typeof findPreviewImage>>;

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
