// A request as a line for the shell, or as a program. An address can hold whatever somebody put into a link, so that
// what is copied from here must be nothing but an address to whatever reads it.

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
    // These would be ranges and choices to curl.
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

/** Every string of JSON is one of Python too. */
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

/** Between single quotes a shell reads nothing but the next of them. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
