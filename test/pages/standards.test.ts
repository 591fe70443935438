// The machine-readable formats of the whole demo gallery against their standards: feeds by another project's parser,
// oEmbed and JSON-LD by JSON schemas written from their specifications.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parseFeed } from 'feedsmith';
import { onOneDatabase } from '../support/databases.ts';
import { visitor } from '../support/person.ts';
import { siteOn } from '../support/site.ts';

const demo = readFileSync(join(import.meta.dir, '../../src/features/demo/gallery.ndjson'), 'utf8');

const ajv = new Ajv({ strict: true, allErrors: true, formats: { uri: isUri, 'date-time': isDateTime } });

const uri = { type: 'string', format: 'uri' };
const text = { type: 'string', minLength: 1 };

/** A response of the type rich: https://oembed.com, section 2.3.4. */
const validateOembed = ajv.compile({
  type: 'object',
  required: ['type', 'version', 'html', 'width', 'height'],
  properties: {
    type: { const: 'rich' },
    version: { const: '1.0' },
    html: { type: 'string', pattern: '^<iframe ' },
    width: { type: 'integer' },
    height: { type: 'integer' },
    title: text,
    author_name: text,
    author_url: uri,
    provider_name: text,
    provider_url: uri,
    thumbnail_url: uri,
    thumbnail_width: { type: 'integer' },
    thumbnail_height: { type: 'integer' },
  },
  dependencies: { thumbnail_url: ['thumbnail_width', 'thumbnail_height'] },
  additionalProperties: false,
});

const personSchema = {
  type: 'object',
  required: ['@type', 'name', 'url'],
  properties: { '@type': { const: 'Person' }, name: text, url: uri },
  additionalProperties: false,
};
const workSchema = {
  type: 'object',
  required: ['@type', 'name', 'url', 'author'],
  properties: { '@type': { const: 'CreativeWork' }, name: text, url: uri, author: personSchema },
  additionalProperties: false,
};
const dateTime = { type: 'string', format: 'date-time' };

/** Properties of https://schema.org/CreativeWork and its subtypes. */
const validateJsonLd = ajv.compile({
  type: 'object',
  required: ['@context', '@type', 'name', 'url', 'author', 'dateCreated', 'dateModified'],
  properties: {
    '@context': { const: 'https://schema.org' },
    '@type': {
      enum: [
        'CreativeWork',
        'Photograph',
        'Question',
        'VideoObject',
        'Quotation',
        'DigitalDocument',
        'Comment',
      ],
    },
    name: text,
    url: uri,
    author: personSchema,
    identifier: text,
    abstract: text,
    citation: uri,
    dateCreated: dateTime,
    dateModified: dateTime,
    isBasedOn: workSchema,
    parentItem: workSchema,
    image: uri,
    keywords: { type: 'array', minItems: 1, items: text },
    answerCount: { type: 'integer', minimum: 0 },
    aggregateRating: {
      type: 'object',
      required: ['@type', 'ratingValue', 'ratingCount', 'bestRating', 'worstRating'],
      properties: {
        '@type': { const: 'AggregateRating' },
        ratingValue: { type: 'number', minimum: 1, maximum: 5 },
        ratingCount: { type: 'integer', minimum: 1 },
        bestRating: { const: 5 },
        worstRating: { const: 1 },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
});

interface Results<Project> {
  readonly results: readonly Project[];
}

const withoutComments = 'content_type__in=text,photo,question,link,video,quote,document';
/** Lists of the pages, and the query of the same list in the API. A page lists comments in a search only. */
const lists = [
  { query: '', apiQuery: withoutComments },
  { query: '?content_type=photo', apiQuery: `content_type=photo&${withoutComments}` },
  { query: '?tags=plants', apiQuery: `tags=plants&${withoutComments}` },
  { query: '?search=kite', apiQuery: 'search=kite' },
];

onOneDatabase((kind) => {
  test('the parser of a feed reader reads every feed', async () => {
    const site = await siteOn(kind, { dump: demo });
    for (const { query, apiQuery } of lists) {
      const { results } = await visitor(site).json<Results<{ title: string }>>(
        `/api/v1/projects/?page_size=30&${apiQuery}`,
      );
      const titles = results.map(({ title }) => title);
      expect(titles.length).toBeGreaterThan(0);

      const atom = parseFeed(await (await site.get(`/feed.atom${query}`)).text());
      if (atom.format !== 'atom') throw new Error(`this is not Atom, but ${atom.format}`);
      expect(atom.feed.entries?.map(({ title }) => title?.value ?? title)).toEqual(titles);

      const json = parseFeed(await (await site.get(`/feed.json${query}`)).text());
      if (json.format !== 'json') throw new Error(`this is not JSON Feed, but ${json.format}`);
      expect(json.feed.items?.map(({ title }) => title)).toEqual(titles);
    }
  });

  test('oEmbed and JSON-LD of every project match their specifications', async () => {
    const site = await siteOn(kind, { dump: demo });
    const { results } = await visitor(site).json<Results<{ html_url: string }>>(
      '/api/v1/projects/?page_size=100',
    );
    expect(results.length).toBeGreaterThan(50);
    for (const { html_url } of results) {
      const oembed = await site.json(`/oembed?${new URLSearchParams({ url: html_url })}`);
      expect([html_url, validateOembed(oembed), validateOembed.errors]).toEqual([html_url, true, null]);

      const page = await visitor(site).open(new URL(html_url).pathname);
      const data = withoutQaPage(page.jsonLd as JsonLd);
      expect([html_url, validateJsonLd(data), validateJsonLd.errors]).toEqual([html_url, true, null]);
    }
  });
});

interface JsonLd {
  readonly '@type': string;
  readonly mainEntity?: object;
}

/** https://schema.org/QAPage is a page around a question. */
const withoutQaPage = ({ '@type': type, mainEntity, ...rest }: JsonLd) =>
  type === 'QAPage' ? { ...rest, ...mainEntity } : { '@type': type, ...rest };

function isUri(value: string): boolean {
  return URL.canParse(value) && /^[\x21-\x7e]+$/.test(value);
}

function isDateTime(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/.test(value);
}
