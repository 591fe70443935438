// The content types on pages: one record for each. Their names are texts (`type.…`), the look of their posters is CSS.

import { toText } from '#rest/fields.ts';
import type { ContentType, ProjectContentType } from '../../core/content-types.ts';
import { type acceptedFiles, describeMediaType, type MediaType } from '../../core/files/stored-files.ts';
import { formatHost } from '../../core/markdown/bare-links.ts';
import { excerpt, extractQuote } from '../../core/markdown/markdown.ts';
import { parseQuote } from '../../core/markdown/quote.ts';
import type { MessageKey } from '../../core/texts/languages.ts';
import type { Project } from '../project.ts';
import type { WrittenName } from '../project-fields.ts';

export interface FieldTexts {
  readonly label: MessageKey;
  readonly help?: MessageKey;
}

/** The form for a project of the type: its fields, with labels and help of their own. */
export interface TypeForm {
  readonly title?: FieldTexts;
  readonly text?: FieldTexts;
  readonly link?: FieldTexts;
  /** The fields besides the title. */
  readonly fields: readonly WrittenName[];
  /** For types that consist of a file. */
  readonly file?: FieldTexts & { readonly accepts: keyof typeof acceptedFiles };
}

/** What a form sends, or a project has. */
export interface Content {
  readonly text?: unknown;
  readonly link?: unknown;
  /** The types of its files. */
  readonly files: readonly MediaType[];
}

/** What a project needs before a form publishes it. */
interface Requirement {
  readonly field: 'text' | 'link' | 'file';
  readonly message: MessageKey;
  isMet(content: Content): boolean;
}

export type PosterProject = Pick<Project, 'id' | 'title' | 'content_type' | 'text' | 'link'>;

interface TypeOnPages {
  /** In the vocabulary of schema.org. */
  readonly schemaType: string;
  readonly requirement?: Requirement;
  /** The words on the poster of a project without a picture: its title, if there are no others. */
  readonly posterWords?: (project: PosterProject) => string | undefined;
  /** The name of the comments on it, if it is not "comment". */
  readonly commentKind?: 'answer' | 'reply';
}

const maxPosterLength = 260;
const beginning = ({ text, title }: PosterProject) => excerpt(text, title, maxPosterLength);

const hasFile = ({ files }: Content, display: string) =>
  files.some((file) => describeMediaType(file).display === display);

const projectTypes: Readonly<Record<ProjectContentType, TypeOnPages & { readonly form: TypeForm }>> = {
  text: { schemaType: 'CreativeWork', form: { fields: ['text', 'tags'] }, posterWords: beginning },
  photo: {
    schemaType: 'Photograph',
    form: {
      file: { label: 'edit.photoFile', help: 'edit.photoFileHelp', accepts: 'pictures' },
      text: { label: 'edit.photoText' },
      fields: ['text', 'tags'],
    },
    requirement: {
      field: 'file',
      message: 'edit.photoNeeded',
      isMet: (content) => hasFile(content, 'picture'),
    },
  },
  question: {
    schemaType: 'Question',
    form: {
      title: { label: 'edit.question', help: 'edit.questionHelp' },
      text: { label: 'edit.details' },
      fields: ['text', 'tags'],
    },
    commentKind: 'answer',
  },
  link: {
    schemaType: 'CreativeWork',
    form: {
      link: { label: 'edit.link', help: 'edit.linkHelp' },
      text: { label: 'edit.linkText' },
      fields: ['link', 'text', 'tags'],
    },
    requirement: { field: 'link', message: 'edit.linkNeeded', isMet: ({ link }) => Boolean(link) },
    posterWords: ({ link }) => (link ? formatHost(link) : undefined),
  },
  video: {
    schemaType: 'VideoObject',
    form: {
      file: { label: 'edit.videoFile', help: 'edit.videoFileHelp', accepts: 'videos' },
      link: { label: 'edit.videoLink', help: 'edit.videoLinkHelp' },
      text: { label: 'edit.videoText' },
      fields: ['link', 'text', 'tags'],
    },
    requirement: {
      field: 'link',
      message: 'edit.videoNeeded',
      isMet: (content) => Boolean(content.link) || hasFile(content, 'video'),
    },
  },
  quote: {
    schemaType: 'Quotation',
    form: {
      title: { label: 'edit.quoteTitle', help: 'edit.quoteTitleHelp' },
      text: { label: 'edit.quote', help: 'edit.quoteHelp' },
      fields: ['text', 'tags'],
    },
    requirement: {
      field: 'text',
      message: 'edit.quoteNeeded',
      isMet: ({ text }) => parseQuote(toText(text)).text !== '',
    },
    posterWords: (project) => extractQuote(project.text) || beginning(project),
  },
  document: {
    schemaType: 'DigitalDocument',
    form: {
      file: { label: 'edit.documentFile', help: 'edit.documentFileHelp', accepts: 'all' },
      text: { label: 'edit.documentText' },
      fields: ['text', 'tags'],
    },
    requirement: { field: 'file', message: 'edit.documentNeeded', isMet: ({ files }) => files.length > 0 },
  },
  collection: {
    schemaType: 'Collection',
    form: { text: { label: 'edit.collectionText' }, fields: ['text', 'tags', 'offers'] },
  },
};

const types: Readonly<Record<ContentType, TypeOnPages>> = {
  ...projectTypes,
  comment: { schemaType: 'Comment', posterWords: beginning, commentKind: 'reply' },
};

export const onPages = (type: ContentType): TypeOnPages => types[type];

export const formOf = (type: ProjectContentType): TypeForm => projectTypes[type].form;

export const isProjectType = (type: string): type is ProjectContentType => Object.hasOwn(projectTypes, type);
