import type { Source } from './lines.ts';

/** The texts of a source in a Markdown text: signs of Markdown in them are only signs. */
export function escapeSource({ title, name, url }: Source): Pick<Source, 'title' | 'name' | 'url'> {
  return { title: escapeMarkdown(title), name: escapeMarkdown(name), url };
}

const escapeMarkdown = (text: string) =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>~|]/g, (sign) => `\\${sign}`);
