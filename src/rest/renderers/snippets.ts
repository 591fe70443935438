// A request as a shell command or a program. The URL can contain anything that somebody put into a link: it must be
// quoted so that a shell or an interpreter reads it as nothing but a URL.

interface Snippet {
  readonly name: string;
  readonly text: string;
}

export interface SnippetRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function buildSnippets(request: SnippetRequest): Snippet[] {
  return [
    { name: 'curl', text: toCurl(request) },
    { name: 'JavaScript', text: toJavaScript(request) },
    { name: 'Python', text: toPython(request) },
  ];
}

function toCurl({ method, url, headers }: SnippetRequest): string {
  const words = [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    // curl would expand these characters.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', quoteForShell(`${name}: ${value}`)]),
    quoteForShell(url),
  ];
  return words.join(' ');
}

function toJavaScript({ method, url, headers }: SnippetRequest): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    '  headers: {',
    ...Object.entries(headers).map(
      ([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
    ),
    '  },',
  ];
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...options,
    '});',
    'console.log(await response.json());',
  ].join('\n');
}

/** Every JSON string is also a Python string. */
function toPython({ method, url, headers }: SnippetRequest): string {
  return [
    'import json',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    ${JSON.stringify(url)},`,
    `    headers=${JSON.stringify(headers)},`,
    ...(method === 'GET' ? [] : [`    method=${JSON.stringify(method)},`]),
    ')',
    'with urlopen(request) as response:',
    '    print(json.load(response))',
  ].join('\n');
}

/** Inside single quotes, only a single quote has a meaning for a shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
