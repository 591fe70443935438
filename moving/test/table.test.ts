// Exports of other programs become a table, and from there projects of a gallery.

import { expect, test } from 'bun:test';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryPath } from '../../test/support/databases.ts';
import { visitor } from '../../test/support/person.ts';
import { png } from '../../test/support/pictures.ts';
import { vitrine } from '../../test/support/server.ts';
import { siteAt } from '../../test/support/site.ts';
import { run } from './moving.ts';

/** As the export of WordPress 6 writes it. */
const wordPress = `<?xml version="1.0" encoding="UTF-8" ?>
<!-- generator="WordPress/6.5.2" created="2024-05-01 10:00" -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
  <title>Club</title>
  <link>https://club.example</link>
  <wp:wxr_version>1.2</wp:wxr_version>
  <wp:author><wp:author_id>1</wp:author_id><wp:author_login><![CDATA[nils]]></wp:author_login><wp:author_display_name><![CDATA[Nils Berg]]></wp:author_display_name></wp:author>
  <item>
    <title><![CDATA[Kites & "wind"]]></title>
    <link>https://club.example/2019/05/kites/</link>
    <pubDate>Fri, 31 May 2019 08:30:00 +0000</pubDate>
    <dc:creator><![CDATA[nils]]></dc:creator>
    <guid isPermaLink="false">https://club.example/?p=7</guid>
    <content:encoded><![CDATA[<!-- wp:paragraph -->
<p>They <strong>fly</strong>: <a href="https://wind.example/">see</a>.</p>
<!-- /wp:paragraph -->
<!-- wp:list --><ul><li>paper</li><li>string</li></ul><!-- /wp:list --><script>alert(1)</script>]]></content:encoded>
    <wp:post_id>7</wp:post_id>
    <wp:post_date><![CDATA[2019-05-31 10:30:00]]></wp:post_date>
    <wp:post_date_gmt><![CDATA[2019-05-31 08:30:00]]></wp:post_date_gmt>
    <wp:status><![CDATA[publish]]></wp:status>
    <wp:post_parent>0</wp:post_parent>
    <wp:post_type><![CDATA[post]]></wp:post_type>
    <category domain="category" nicename="uncategorized"><![CDATA[Uncategorized]]></category>
    <category domain="post_tag" nicename="paper"><![CDATA[paper, glue]]></category>
    <category domain="post_format" nicename="post-format-image"><![CDATA[Image]]></category>
  </item>
  <item>
    <title>kite</title>
    <wp:post_id>8</wp:post_id><wp:post_parent>7</wp:post_parent><wp:status>inherit</wp:status><wp:post_type>attachment</wp:post_type>
    <wp:attachment_url><![CDATA[https://club.example/wp-content/uploads/2019/05/my%20kite.png]]></wp:attachment_url>
  </item>
  <item><title>Members only</title><wp:post_id>11</wp:post_id><wp:status>publish</wp:status><wp:post_type>post</wp:post_type><wp:post_password>hunter2</wp:post_password></item>
  <item><title>Draft</title><wp:post_id>9</wp:post_id><wp:status>draft</wp:status><wp:post_type>post</wp:post_type></item>
  <item><title>Imprint</title><wp:post_id>10</wp:post_id><wp:status>publish</wp:status><wp:post_type>page</wp:post_type></item>
</channel>
</rss>`;

/** As Ghost 5 writes it. */
const ghost = JSON.stringify({
  db: [
    {
      meta: { exported_on: 1714557600000, version: '5.82.2' },
      data: {
        posts: [
          {
            ...{ id: '64f', uuid: 'a1b2', title: 'Lamp', slug: 'lamp', type: 'post', status: 'published' },
            ...{
              html: '<p>It <em>glows</em>.</p>',
              feature_image: '__GHOST_URL__/content/images/2024/05/lamp.png',
            },
            ...{ created_at: '2024-05-01T09:00:00.000Z', published_at: '2024-05-01T10:00:00.000Z' },
          },
          {
            id: '649',
            uuid: 'e5',
            title: 'Paid',
            type: 'post',
            status: 'published',
            visibility: 'paid',
            html: '<p>x</p>',
          },
          { id: '650', uuid: 'c3', title: 'Later', type: 'post', status: 'draft', html: null },
          { id: '651', uuid: 'd4', title: 'About', type: 'page', status: 'published', html: '<p>Us</p>' },
        ],
        tags: [{ id: 't1', name: 'light' }],
        posts_tags: [{ id: 'x', post_id: '64f', tag_id: 't1', sort_order: 0 }],
        users: [{ id: 'u1', name: 'Zoë Ångström', email: 'zoe@club.example' }],
        posts_authors: [{ id: 'y', post_id: '64f', author_id: 'u1', sort_order: 0 }],
      },
    },
  ],
});

/** As Omeka Classic's plug-in CSV Export writes it. */
const omeka = `\ufeff"Item Id","Item URI","Dublin Core:Title","Dublin Core:Description","Dublin Core:Creator","Dublin Core:Date",tags,file,itemType,collection,public,featured
12,https://museum.example/items/show/12,"Loom, small","<p>Of oak.<br>Heavy.</p>","Lovelace, Ada",1843,"wood,weaving",https://museum.example/files/original/ab12.png,Still Image,,1,0
13,https://museum.example/items/show/13,Hidden,,,,,,,,0,0
`;

const rss = `<rss version="2.0"><channel><title>Blog</title>
<item><title>Robot</title><link>https://blog.example/robot</link><guid>https://blog.example/robot</guid><description>&lt;p&gt;It &lt;b&gt;walks&lt;/b&gt;.&lt;/p&gt;</description>
<author>mo@blog.example (Mo Okafor)</author><pubDate>Wed, 02 Oct 2002 13:00:00 GMT</pubDate><category>robots</category></item></channel></rss>`;

const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title>
<entry><id>tag:blog.example,2003:1</id><title>Boat</title><link rel="alternate" href="https://blog.example/boat"/><author><name>Mo Okafor</name></author>
<published>2003-12-13T18:30:02Z</published><updated>2004-01-01T00:00:00Z</updated><content type="html">&lt;p&gt;It floats.&lt;/p&gt;</content><category term="boats"/></entry></feed>`;

const members = 'title,text,contributor_name,created,tags,content_type,link,media';

async function bring(text: string, ending: string, files: readonly string[] = []) {
  const folder = temporaryPath('export');
  for (const file of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), await png(40, 30));
  }
  mkdirSync(folder, { recursive: true });
  const [source, table, database] = [
    join(folder, `export.${ending}`),
    join(folder, 'projects.csv'),
    temporaryPath('g.sqlite'),
  ];
  writeFileSync(source, text);
  const made = await run('table', source, '--to', table);
  expect(made).toMatchObject({ code: 0, out: '' });
  cpSync(table, `${table}.copy`);
  await vitrine('user', 'add', 'admin', 'admin', '--database', database);
  const site = await siteAt(database);
  const options = ['--database', database, '--files', site.folder, '--names', 'full', '--publish'];
  const brought = await vitrine('import-table', table, ...options);
  expect(brought).toMatchObject({ code: 0, error: expect.stringContaining('1 project imported') });
  expect((await vitrine('import-table', table, ...options)).error).toContain(
    '0 projects imported, 1 existed',
  );
  const { results } = await (await visitor(site).get(`/api/v1/projects/?fields=${members}`)).json();
  const works = results.map(({ media, ...work }: { media: { name: string }[] }) => ({
    ...work,
    files: media.map(({ name }) => name),
  }));
  return { said: made.error, works };
}

test('the posts of WordPress', async () => {
  const { said, works } = await bring(wordPress, 'xml', ['2019/05/my kite.png']);
  expect(said).toContain(
    'has 1 projects of WordPress.\n1 that not everybody could read were left out.\nFiles are named as in wp-content/uploads:',
  );
  expect(works).toEqual([
    {
      ...{
        title: 'Kites & "wind"',
        contributor_name: 'Nils Berg',
        created: '2019-05-31T08:30:00.000000+00:00',
      },
      ...{
        text: 'They **fly**: [see](https://wind.example/).\n\n-   paper\n-   string',
        tags: 'paper  glue',
      },
      ...{ content_type: 'photo', link: null, files: ['my kite.webp'] },
    },
  ]);
});

test('the posts of Ghost', async () => {
  const { works } = await bring(ghost, 'json', ['2024/05/lamp.png']);
  expect(works).toEqual([
    {
      ...{ title: 'Lamp', contributor_name: 'Zoë Ångström', created: '2024-05-01T10:00:00.000000+00:00' },
      ...{ text: 'It _glows_.', tags: 'light', content_type: 'photo', link: null, files: ['lamp.webp'] },
    },
  ]);
});

test('the items of Omeka', async () => {
  const { works } = await bring(omeka, 'csv', ['ab12.png']);
  expect(works).toEqual([
    {
      ...{
        title: 'Loom, small',
        contributor_name: 'Ada Lovelace',
        created: '1843-01-01T12:00:00.000000+00:00',
      },
      ...{ text: 'Of oak.  \nHeavy.', tags: 'wood, weaving', content_type: 'photo', link: null },
      files: ['ab12.webp'],
    },
  ]);
});

test('the entries of feeds', async () => {
  expect((await bring(rss, 'xml')).works).toEqual([
    {
      ...{ title: 'Robot', contributor_name: 'Mo Okafor', created: '2002-10-02T13:00:00.000000+00:00' },
      ...{
        text: 'It **walks**.',
        tags: 'robots',
        content_type: 'link',
        link: 'https://blog.example/robot',
        files: [],
      },
    },
  ]);
  expect((await bring(atom, 'xml')).works).toEqual([
    {
      ...{ title: 'Boat', contributor_name: 'Mo Okafor', created: '2003-12-13T18:30:02.000000+00:00' },
      ...{
        text: 'It floats.',
        tags: 'boats',
        content_type: 'link',
        link: 'https://blog.example/boat',
        files: [],
      },
    },
  ]);
});

test('what is no export is refused with a sentence', async () => {
  const file = temporaryPath('export');
  const reasons = {
    'a,b\n1,2\n': 'is no export of WordPress, Ghost or Omeka, and no feed.',
    '<rss version="2.0"></rss>': 'is no export of WordPress, Ghost or Omeka, and no feed.',
    '{"db":[]}': 'is no export of WordPress, Ghost or Omeka, and no feed.',
    '{"db":': 'cannot be read: ',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><rss><channel><title>&d;': '',
  };
  for (const [text, reason] of Object.entries(reasons)) {
    writeFileSync(file, text);
    const { code, error } = await run('table', file, '--to', `${file}.csv`);
    expect([text, code, error.includes(reason)]).toEqual([text, reason ? 2 : code, true]);
  }
});
