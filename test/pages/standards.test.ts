// The machine-readable parts of the whole demo gallery, checked by independent means: feeds by the parser of a feed
// reader, oEmbed and JSON-LD by schemas written from their specifications.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parseFeed } from 'feedsmith';
import { onBothDatabases } from '../support/databases.ts';
import { siteOn } from '../support/site.ts';

const demo = readFileSync(join(import.meta.dir, '../../src/gallery/demo/gallery.ndjson'), 'utf8');

const ajv = new Ajv({ strict: true, allErrors: true, formats: { uri: isUri, 'date-time': isMoment } });

const uri = { type: 'string', format: 'uri' };
const text = { type: 'string', minLength: 1 };

/** https://oembed.com, section 2.3.4, for what is rich. */
const isOembed = ajv.compile({
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

const person = {
  type: 'object',
  required: ['@type', 'name', 'url'],
  properties: { '@type': { const: 'Person' }, name: text, url: uri },
  additionalProperties: false,
};
const work = {
  type: 'object',
  required: ['@type', 'name', 'url', 'author'],
  properties: { '@type': { const: 'CreativeWork' }, name: text, url: uri, author: person },
  additionalProperties: false,
};
const moment = { type: 'string', format: 'date-time' };

/** Properties of https://schema.org/CreativeWork and its kinds. */
const isLinkedData = ajv.compile({
  type: 'object',
  required: ['@context', '@type', 'name', 'url', 'author', 'dateCreated', 'dateModified'],
  properties: {
    '@context': { const: 'https://schema.org' },
    '@type': {
      enum: [
        ...[
          'CreativeWork',
          'Photograph',
          'Question',
          'VideoObject',
          'Quotation',
          'DigitalDocument',
          'Comment',
        ],
      ],
    },
    name: text,
    url: uri,
    author: person,
    identifier: text,
    abstract: text,
    citation: uri,
    dateCreated: moment,
    dateModified: moment,
    isBasedOn: work,
    parentItem: work,
    image: uri,
    keywords: { type: 'array', minItems: 1, items: text },
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

onBothDatabases((kind) => {
  test('a feed reader’s parser reads every feed', async () => {
    const site = await siteOn(kind, { dump: demo });
    for (const list of ['', '?content_type=photo', '?tags=plants', '?search=kite']) {
      const all = list.includes('search')
        ? ''
        : '&content_type__in=text,photo,question,link,video,quote,document';
      const { results } = (await site.json(`/api/v1/projects/${list || '?'}&page_size=30${all}`)) as {
        results: { title: string }[];
      };
      const titles = results.map(({ title }) => title);
      expect(titles.length).toBeGreaterThan(0);
      const atom = parseFeed(await (await site.get(`/feed.atom${list}`)).text());
      const json = parseFeed(await (await site.get(`/feed.json${list}`)).text());
      if (atom.format !== 'atom' || json.format !== 'json') throw new Error('these are other feeds');
      expect(atom.feed.entries?.map(({ title }) => title?.value ?? title)).toEqual(titles);
      expect(json.feed.items?.map(({ title }) => title)).toEqual(titles);
    }
  });

  test('oEmbed and JSON-LD of every project are as their specifications have them', async () => {
    const site = await siteOn(kind, { dump: demo });
    const { results } = (await site.json('/api/v1/projects/?page_size=100')) as {
      results: { html_url: string }[];
    };
    expect(results.length).toBeGreaterThan(50);
    for (const { html_url } of results) {
      const told = await site.json(`/oembed?${new URLSearchParams({ url: html_url })}`);
      expect([html_url, isOembed(told), isOembed.errors]).toEqual([html_url, true, null]);
      const html = await (await site.get(new URL(html_url).pathname)).text();
      const data = JSON.parse(/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? 'null');
      expect([html_url, isLinkedData(data), isLinkedData.errors]).toEqual([html_url, true, null]);
    }
  });
});

function isUri(value: string): boolean {
  return URL.canParse(value) && /^[\x21-\x7e]+$/.test(value);
}

function isMoment(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/.test(value);
}
