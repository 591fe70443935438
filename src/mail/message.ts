// A mail as plain text and as simple HTML, from the same paragraphs.

interface MailLink {
  readonly href: string;
  /** In plain text it is before the address; in HTML it is the text of the link. */
  readonly label?: string;
}

export type Paragraph = string | MailLink;

export function toPlainText(paragraphs: readonly Paragraph[]): string {
  const texts = paragraphs.map((paragraph) => {
    if (typeof paragraph === 'string') return paragraph;
    const { label, href } = paragraph;
    return label === undefined ? href : `${label}\n${href}`;
  });
  return `${texts.join('\n\n')}\n`;
}

export function toHtml(language: string, title: string, paragraphs: readonly Paragraph[]): string {
  const texts = paragraphs.map((paragraph) => {
    if (typeof paragraph === 'string') return `<p>${Bun.escapeHTML(paragraph)}</p>`;
    const { label, href } = paragraph;
    return `<p><a href="${Bun.escapeHTML(href)}">${Bun.escapeHTML(label ?? href)}</a></p>`;
  });
  return `<!doctype html>
<html lang="${Bun.escapeHTML(language)}">
<head><meta charset="utf-8"><title>${Bun.escapeHTML(title)}</title></head>
<body>
${texts.join('\n')}
</body>
</html>
`;
}
