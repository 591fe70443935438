// Reads exports of other programs, for a table that `vitrine import-table` takes.

import { parse } from 'csv-parse/sync';
import { XMLParser } from 'fast-xml-parser';
import TurndownService from 'turndown';

export interface ExportedProject {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly name: string;
  readonly date: string;
  readonly tags: readonly string[];
  /** Relative to the folder in which the program keeps files. */
  readonly files: readonly string[];
  readonly link: string;
}

export interface Export {
  /** The program that has written it. */
  readonly program: string;
  /** Which folder the names of the files belong to; undefined if it has no files. */
  readonly folder?: string;
  readonly projects: readonly ExportedProject[];
  /** How many were left out because not everybody could read them. */
  readonly leftOut?: number;
}

type Xml = Readonly<Record<string, unknown>>;

/** Undefined for an export of another program. */
export function readExport(text: string): Export | undefined {
  if (/^\s*\{/.test(text)) return readGhost(text);
  if (/^\s*(<\?xml|<rss|<feed)/.test(text)) return readXml(text);
  return /^\ufeff?"?Item Id/i.test(text) || /Dublin Core:Title/.test(text.slice(0, 10_000))
    ? readOmeka(text)
    : undefined;
}

// Texts: HTML becomes Markdown.

const turndown = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
});
turndown.remove(['script', 'style', 'iframe', 'form']);

/** Comments are those of WordPress's editor. Its older texts have empty lines between paragraphs instead of elements. */
function toMarkdown(html: string): string {
  try {
    return convert(html);
  } catch {
    // Elements within elements, thousands of times.
    return html.replace(/<[^>]*>/g, ' ');
  }
}

const convert = (html: string) =>
  turndown.turndown(html.replace(/<!--.*?-->/gs, '').replace(/(?<=[^>\s])\n{2,}(?=[^<\s])/g, '<br><br>'));

/** The name of a file below a folder, in an address. */
const fileIn = (folder: string, address: string): string[] => {
  const [path = ''] = address.split(/[?#]/);
  const at = path.indexOf(`/${folder}/`);
  const name = path.slice(at + folder.length + 2);
  if (at < 0) return [];
  return [/%(?![0-9a-f]{2})/i.test(name) ? name : decodeURIComponent(name)];
};

// XML: WordPress writes RSS with elements of its own.

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  processEntities: true,
  htmlEntities: true,
  isArray: (name) =>
    ['item', 'entry', 'category', 'link', 'wp:author', 'author', 'wp:postmeta'].includes(name),
});

const list = (value: unknown): Xml[] =>
  (Array.isArray(value) ? value : []).map((item) => (typeof item === 'object' ? item : { '#text': item }));
const textOf = (value: unknown): string => {
  const single = Array.isArray(value) ? value[0] : value;
  const text = typeof single === 'object' && single !== null ? (single as Xml)['#text'] : single;
  return text === undefined || text === null ? '' : String(text).trim();
};

function readXml(text: string): Export | undefined {
  const root = parser.parse(text) as { rss?: { channel?: Xml }; feed?: Xml };
  if (root.feed) return { program: 'Atom', projects: list(root.feed.entry).map(readAtomEntry) };
  const channel = root.rss?.channel;
  if (!channel) return undefined;
  const items = list(channel.item);
  return 'wp:wxr_version' in channel
    ? readWordPress(channel, items)
    : { program: 'RSS', projects: items.map(readRssItem) };
}

function readWordPress(channel: Xml, items: readonly Xml[]): Export {
  const names = new Map(
    list(channel['wp:author']).map((author) => [
      textOf(author['wp:author_login']),
      textOf(author['wp:author_display_name']),
    ]),
  );
  const typed = (type: string) => items.filter((item) => textOf(item['wp:post_type']) === type);
  const attachments = typed('attachment');
  const filesByPost = Map.groupBy(attachments, (item) => textOf(item['wp:post_parent']));
  const attachmentsById = new Map(attachments.map((item) => [textOf(item['wp:post_id']), item]));
  /** The picture of a post need not belong to it. */
  const findPicture = (item: Xml) => {
    const meta = list(item['wp:postmeta']).find((one) => textOf(one['wp:meta_key']) === '_thumbnail_id');
    return attachmentsById.get(textOf(meta?.['wp:meta_value'])) ?? [];
  };
  const published = typed('post').filter((item) => textOf(item['wp:status']) === 'publish');
  const open = published.filter((item) => textOf(item['wp:post_password']) === '');
  const projects = open.map((item) => {
    const id = textOf(item['wp:post_id']);
    const login = textOf(item['dc:creator']);
    return {
      id: `wordpress-${id}`,
      title: textOf(item.title),
      text: toMarkdown(textOf(item['content:encoded'])),
      name: names.get(login) || login,
      date: dateOf(item),
      tags: list(item.category)
        .filter((category) => ['post_tag', 'category'].includes(String(category['@domain'])))
        .map(textOf)
        .filter((tag) => tag !== 'Uncategorized'),
      files: [...new Set([findPicture(item), filesByPost.get(id) ?? []].flat())].flatMap((file) =>
        fileIn('wp-content/uploads', textOf(file['wp:attachment_url'])),
      ),
      link: '',
    };
  });
  return {
    program: 'WordPress',
    folder: 'wp-content/uploads',
    projects,
    leftOut: published.length - open.length,
  };
}

/** The time in GMT is zero in some exports. */
function dateOf(item: Xml): string {
  const [gmt, local] = [textOf(item['wp:post_date_gmt']), textOf(item['wp:post_date'])];
  return `${gmt.startsWith('0000') || gmt === '' ? local : gmt}Z`.replace(' ', 'T');
}

const readRssItem = (item: Xml): ExportedProject => {
  const link = textOf(item.link);
  return {
    id: textOf(item.guid) || link,
    title: textOf(item.title),
    text: toMarkdown(textOf(item['content:encoded']) || textOf(item.description)),
    name: textOf(item['dc:creator']) || textOf(item.author).replace(/^.*\((.*)\)$/, '$1'),
    date: textOf(item.pubDate) || textOf(item['dc:date']),
    tags: list(item.category).map(textOf),
    files: [],
    link,
  };
};

function readAtomEntry(entry: Xml): ExportedProject {
  const links = list(entry.link);
  const link = links.find(({ '@rel': rel }) => rel === undefined || rel === 'alternate');
  return {
    id: textOf(entry.id),
    title: textOf(entry.title),
    text: toMarkdown(textOf(entry.content) || textOf(entry.summary)),
    name: textOf(list(entry.author)[0]?.name),
    date: textOf(entry.published) || textOf(entry.updated),
    tags: list(entry.category).map((category) => String(category['@term'] ?? '')),
    files: [],
    link: String(link?.['@href'] ?? ''),
  };
}

// Ghost writes JSON, with the tags and the people of posts in tables of their own.

interface GhostData {
  readonly posts: readonly Record<string, string | null>[];
  readonly tags?: readonly { readonly id: string; readonly name: string }[];
  readonly posts_tags?: readonly { readonly post_id: string; readonly tag_id: string }[];
  readonly users?: readonly { readonly id: string; readonly name: string }[];
  readonly posts_authors?: readonly { readonly post_id: string; readonly author_id: string }[];
}

function readGhost(text: string): Export | undefined {
  const data: GhostData | undefined = JSON.parse(text).db?.[0]?.data;
  if (!data?.posts) return undefined;
  const nameOf = (id?: string | null) => data.users?.find((user) => user.id === id)?.name ?? '';
  const published = data.posts.filter(
    ({ status, type = 'post' }) => status === 'published' && type === 'post',
  );
  const open = published.filter(({ visibility = 'public' }) => visibility === 'public');
  const projects = open.map((post) => ({
    id: `ghost-${post.uuid ?? post.id}`,
    title: post.title ?? '',
    text: toMarkdown((post.html ?? '').replaceAll('__GHOST_URL__', '')),
    name: nameOf(data.posts_authors?.find(({ post_id }) => post_id === post.id)?.author_id ?? post.author_id),
    date: post.published_at ?? post.created_at ?? '',
    tags: (data.posts_tags ?? [])
      .filter(({ post_id }) => post_id === post.id)
      .flatMap(({ tag_id }) => data.tags?.find(({ id }) => id === tag_id)?.name ?? []),
    files: post.feature_image ? fileIn('content/images', post.feature_image) : [],
    link: '',
  }));
  return { program: 'Ghost', folder: 'content/images', projects, leftOut: published.length - open.length };
}

// Omeka's plug-in CSV Export writes a column for each element of a vocabulary.

function readOmeka(text: string): Export {
  const rows = parse(text, { columns: true, bom: true, relax_column_count: true }) as Record<
    string,
    string
  >[];
  const open = rows.filter((row) => row.public === '1');
  const projects = open.map((row) => {
    const element = (name: string) => row[`Dublin Core:${name}`] ?? row[`Dublin Core : ${name}`] ?? '';
    return {
      id: `omeka-${row['Item Id'] ?? row.itemId ?? element('Identifier')}`,
      title: element('Title'),
      text: toMarkdown(element('Description')),
      name: element('Creator'),
      date: element('Date'),
      tags: (row.tags ?? '').split(','),
      files: (row.file ?? '').split(',').flatMap((address) => fileIn('files/original', address.trim())),
      link: '',
    };
  });
  return { program: 'Omeka', folder: 'files/original', projects, leftOut: rows.length - open.length };
}
