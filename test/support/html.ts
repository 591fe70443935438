// What a person sees of a page that matters to tests of its forms.

interface Seen {
  readonly heading: string;
  readonly mistakes: string[];
  /** What the fields hold, by their names; of choices the one that is made. */
  readonly fields: Readonly<Record<string, string>>;
  readonly notices: string[];
}

export async function seen(response: Response): Promise<Seen> {
  const [headings, mistakes, notices]: [string[], string[], string[]] = [[], [], []];
  const fields: Record<string, string> = {};
  const gather = (texts: string[]) => ({
    element: () => void texts.push(''),
    text: ({ text }: { text: string }) => void texts.push((texts.pop() ?? '') + text),
  });
  let area = '';
  const rewriter = new HTMLRewriter()
    .on('main h1', gather(headings))
    .on('.error-summary li', gather(mistakes))
    .on('.notice', gather(notices))
    .on('main input', {
      element(input) {
        const name = input.getAttribute('name');
        const choice = input.getAttribute('type') === 'radio';
        if (name && (!choice || input.hasAttribute('checked')))
          fields[name] = plain(input.getAttribute('value') ?? '');
      },
    })
    .on('main textarea[name]', {
      element(input) {
        area = input.getAttribute('name') ?? '';
        fields[area] = '';
      },
      text({ text }) {
        fields[area] += text;
      },
    });
  await rewriter.transform(response).text();
  const words = (texts: string[]) => texts.map((text) => plain(text).trim().replace(/\s+/g, ' '));
  for (const [name, value] of Object.entries(fields)) fields[name] = plain(value).replace(/^\n/, '');
  return { heading: words(headings).join(' '), mistakes: words(mistakes), fields, notices: words(notices) };
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };

function plain(text: string): string {
  return text.replace(/&(lt|gt|quot|amp|#39);/g, (_, name) => entities[name] ?? "'");
}
