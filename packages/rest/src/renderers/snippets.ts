// A request as a shell command or a program. The URL can contain anything that somebody put into a link: it must be
// quoted so that a shell or an interpreter reads it as nothing but a URL.

export interface SnippetRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body. */
  readonly json?: unknown;
  /** The body is a multipart form with a file, instead of JSON. */
  readonly fileField?: string;
  /** The kind of body of the response; JSON by default. */
  readonly response?: 'json' | 'text' | 'none';
}

export const buildSnippets = (request: SnippetRequest) => [
  { name: 'curl', text: toCurl(request) },
  { name: 'JavaScript', text: toJavaScript(request) },
  { name: 'Python', text: toPython(request) },
];

const exampleFile = 'photo.jpg';
const jsonType = { 'Content-Type': 'application/json' };

function toCurl({ method, url, headers, json, fileField }: SnippetRequest): string {
  const allHeaders = { ...headers, ...(json !== undefined && jsonType) };
  const words = [
    method === 'GET' ? 'curl' : `curl -X ${method}`,
    // curl would expand these characters.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...Object.entries(allHeaders).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : [`-d ${quoteForShell(JSON.stringify(json))}`]),
    ...(fileField === undefined ? [] : [`-F ${quoteForShell(`${fileField}=@${exampleFile}`)}`]),
    quoteForShell(url),
  ];
  return words.join(words.length > 4 ? ' \\\n  ' : ' ');
}

const printInJavaScript = {
  json: 'console.log(await response.json());',
  text: 'console.log(await response.text());',
  none: 'console.log(response.status);',
};

function toJavaScript({ method, url, headers, json, fileField, response }: SnippetRequest): string {
  const allHeaders = { ...headers, ...(json !== undefined && jsonType) };
  return [
    ...(fileField === undefined
      ? []
      : [
          'const form = new FormData();',
          '// The element is an <input type="file">.',
          `form.append(${JSON.stringify(fileField)}, element.files[0]);`,
        ]),
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    '  headers: {',
    ...Object.entries(allHeaders).map(
      ([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
    ),
    '  },',
    ...(json === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(json)}),`]),
    ...(fileField === undefined ? [] : ['  body: form,']),
    '});',
    printInJavaScript[response ?? 'json'],
  ].join('\n');
}

const printInPython = {
  json: 'print(response.json())',
  text: 'print(response.text)',
  none: 'print(response.status_code)',
};

/** Every JSON string is also a Python string. */
const toPython = ({ method, url, headers, json, fileField, response }: SnippetRequest): string =>
  [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(url)},`,
    `    headers=${toPythonLiteral(headers)},`,
    ...(json === undefined ? [] : [`    json=${toPythonLiteral(json)},`]),
    ...(fileField === undefined
      ? []
      : [`    files={${JSON.stringify(fileField)}: open(${JSON.stringify(exampleFile)}, "rb")},`]),
    ')',
    printInPython[response ?? 'json'],
  ].join('\n');

const pythonNames: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

function toPythonLiteral(value: unknown): string {
  return JSON.stringify(value).replace(
    /"(?:[^"\\]|\\.)*"|true|false|null/g,
    (token) => pythonNames[token] ?? token,
  );
}

/** Inside single quotes, only a single quote has a meaning for a shell. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
