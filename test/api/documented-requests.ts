// Requests whose responses the OpenAPI document describes: see schema.test.ts.

/** Each documented path, with targets that it serves. */
export const documentedPaths: [path: string, targets: string[]][] = [
  ['/api/v1/', ['/api/v1/']],
  ['/api/v1/schema/', ['/api/v1/schema/']],
  ['/api/v1/auth/token/', ['/api/v1/auth/token/']],
  ['/api/v1/auth/session/', ['/api/v1/auth/session/']],
  ['/api/v1/auth/sessions/', ['/api/v1/auth/sessions/']],
  ['/api/v1/auth/sessions/{id}/', ['/api/v1/auth/sessions/x/']],
  ['/api/v1/auth/sign-up/', ['/api/v1/auth/sign-up/']],
  ['/api/v1/auth/password/', ['/api/v1/auth/password/']],
  ['/api/v1/auth/keys/', ['/api/v1/auth/keys/']],
  ['/api/v1/auth/keys/{id}/', ['/api/v1/auth/keys/1/', '/api/v1/auth/keys/0/']],
  ['/api/v1/auth/invitations/', ['/api/v1/auth/invitations/']],
  [
    '/api/v1/projects/',
    [
      '/api/v1/projects/',
      '/api/v1/projects/?page_size=2&page=2&include=content_type,contributor,parent,media,link',
      '/api/v1/projects/?cursor=&page_size=3&ordering=-karma,title',
      '/api/v1/projects/?content_type=x&created__gte=y',
      '/api/v1/projects/?page=99',
    ],
  ],
  [
    '/api/v1/projects/{id}/',
    [
      ...Array.from(
        { length: 9 },
        (_, index) => `/api/v1/projects/${index + 1}/?include=content_type,contributor,parent,media,link`,
      ),
      '/api/v1/projects/20/',
      '/api/v1/projects/23/',
      '/api/v1/projects/404/',
      '/api/v1/projects/1/?fields=nothing',
    ],
  ],
];

const projectPath = '/api/v1/projects/{id}/';
const filePath = `${projectPath}media/{number}/`;

export interface DocumentedRequest {
  /** The key that signs in, by its name in exchanges/README.md. */
  readonly as?: string;
  readonly method: string;
  readonly path: string;
  readonly id?: number;
  readonly body?: unknown;
  /** Files, in a multipart form. */
  readonly files?: readonly string[];
  readonly headers?: Record<string, string>;
  readonly status: number;
}

const asProblem = { Accept: 'application/problem+json' };

/** Requests that are sent in this order, with the status of each response. */
export const requests: readonly DocumentedRequest[] = [
  { method: 'get', path: '/api/v1/reports/', headers: asProblem, status: 401 },
  { as: 'zoe', method: 'get', path: '/api/v1/reports/', headers: asProblem, status: 403 },
  { method: 'get', path: projectPath, id: 77, headers: asProblem, status: 404 },
  { as: 'ada', method: 'post', path: '/api/v1/projects/', body: {}, headers: asProblem, status: 400 },
  { as: 'ada', method: 'post', path: '/api/v1/projects/', body: [], headers: asProblem, status: 400 },
  ...[
    { title: 'Lamp' },
    {
      title: 'Lamp',
      text: '',
      tags: '',
      visibility: 'unlisted',
      status: 0,
      content_type: 'photo',
      link: null,
    },
    { title: 'Lamp', tags: ['a', 'b'], status: 2, content_type: 'link', link: 'https://place.example/' },
    { title: 'Lamp', content_type: 'comment', parent: 3 },
    { title: 'Lamp', id: 1, url: 'x', contributor_name: 'Zoë', karma: 3, copied_from: 2, colour: 'red' },
  ].map((body) => ({ as: 'ada', method: 'post', path: '/api/v1/projects/', body, status: 201 })),
  ...[
    {},
    { title: '' },
    { title: 'Lamp', status: 7, tags: 3 },
    { title: 'Lamp', content_type: 'comment' },
    [],
    'x',
  ].map((body) => ({ as: 'ada', method: 'post', path: '/api/v1/projects/', body, status: 400 })),
  { method: 'post', path: '/api/v1/projects/', body: { title: 'Lamp' }, status: 401 },
  { as: 'ada-of-old', method: 'post', path: '/api/v1/projects/', body: { title: 'Lamp' }, status: 401 },
  { as: 'ada-reads', method: 'post', path: '/api/v1/projects/', body: { title: 'Lamp' }, status: 403 },
  ...[201, 422].map((status) => ({
    as: 'ada',
    method: 'post',
    path: '/api/v1/projects/',
    body: { title: `Once ${status}` },
    status,
    headers: { 'Idempotency-Key': 'once' },
  })),
  ...['post', 'put', 'patch'].map((method) => ({
    as: 'ada',
    method,
    path: method === 'post' ? '/api/v1/projects/' : projectPath,
    id: 1,
    body: 'Lamp',
    status: 415,
    headers: { 'Content-Type': 'text/plain' },
  })),
  { as: 'ada', method: 'put', path: projectPath, id: 1, body: { title: 'Lamp' }, status: 200 },
  { as: 'ada', method: 'put', path: projectPath, id: 1, body: { text: 'Lamp' }, status: 400 },
  { as: 'zoe', method: 'put', path: projectPath, id: 1, body: { title: 'Lamp' }, status: 403 },
  { as: 'zoe', method: 'put', path: projectPath, id: 21, body: { title: 'Lamp' }, status: 404 },
  { as: 'ada', method: 'patch', path: projectPath, id: 1, body: {}, status: 200 },
  { as: 'ada', method: 'patch', path: projectPath, id: 1, body: { tags: ['x'], status: 2 }, status: 200 },
  { as: 'ada', method: 'patch', path: projectPath, id: 1, body: { visibility: 'secret' }, status: 400 },
  { as: 'zoe', method: 'patch', path: projectPath, id: 1, body: {}, status: 403 },
  ...['put', 'patch', 'delete'].flatMap((method) => [
    { method, path: projectPath, id: 1, body: { title: 'Lamp' }, status: 401 },
    { as: 'zoe', method, path: projectPath, id: 77, body: { title: 'Lamp' }, status: 404 },
    {
      as: 'ada',
      method,
      path: projectPath,
      id: 1,
      body: { title: 'Lamp' },
      status: 412,
      headers: { 'If-Match': '"never"' },
    },
  ]),
  { as: 'zoe', method: 'delete', path: projectPath, id: 1, status: 403 },
  { as: 'zoe', method: 'post', path: `${projectPath}copy/`, id: 1, status: 201 },
  { as: 'zoe', method: 'post', path: `${projectPath}copy/`, id: 9, status: 400 },
  { method: 'post', path: `${projectPath}copy/`, id: 1, status: 401 },
  { as: 'zoe', method: 'post', path: `${projectPath}copy/`, id: 21, status: 404 },
  { as: 'zoe', method: 'get', path: `${projectPath}rating/`, id: 1, status: 404 },
  { as: 'zoe', method: 'put', path: `${projectPath}rating/`, id: 1, body: { value: 5 }, status: 200 },
  { as: 'zoe', method: 'get', path: `${projectPath}rating/`, id: 1, status: 200 },
  { as: 'zoe', method: 'put', path: `${projectPath}rating/`, id: 1, body: { value: 6 }, status: 400 },
  { as: 'ada', method: 'put', path: `${projectPath}rating/`, id: 1, body: { value: 5 }, status: 403 },
  { method: 'get', path: `${projectPath}rating/`, id: 1, status: 401 },
  { as: 'zoe', method: 'delete', path: `${projectPath}rating/`, id: 1, status: 204 },
  {
    as: 'zoe',
    method: 'post',
    path: `${projectPath}comments/`,
    id: 3,
    body: { text: 'Bright.' },
    status: 201,
  },
  {
    as: 'zoe',
    method: 'post',
    path: `${projectPath}comments/`,
    id: 3,
    body: { text: 'Bright.', parent: 9 },
    status: 201,
  },
  { as: 'zoe', method: 'post', path: `${projectPath}comments/`, id: 3, body: {}, status: 400 },
  {
    as: 'zoe',
    method: 'post',
    path: `${projectPath}comments/`,
    id: 21,
    body: { text: 'Bright.' },
    status: 404,
  },
  { method: 'post', path: `${projectPath}comments/`, id: 3, body: { text: 'Bright.' }, status: 401 },
  { method: 'get', path: `${projectPath}comments/`, id: 3, status: 200 },
  { as: 'ada', method: 'post', path: `${projectPath}media/`, id: 1, files: ['One.', 'Two.'], status: 201 },
  { as: 'ada', method: 'post', path: `${projectPath}media/`, id: 1, files: ['\0'], status: 400 },
  { as: 'ada', method: 'post', path: `${projectPath}media/`, id: 1, body: {}, status: 400 },
  { as: 'zoe', method: 'post', path: `${projectPath}media/`, id: 1, files: ['One.'], status: 403 },
  { method: 'post', path: `${projectPath}media/`, id: 1, files: ['One.'], status: 401 },
  { method: 'get', path: `${projectPath}media/`, id: 1, status: 200 },
  { method: 'get', path: `${projectPath}media/`, id: 21, status: 404 },
  { method: 'get', path: filePath, id: 1, status: 200 },
  { method: 'get', path: filePath, id: 2, status: 404 },
  { as: 'ada', method: 'put', path: filePath, id: 1, body: { alt: 'Words.', position: 2 }, status: 200 },
  { as: 'ada', method: 'patch', path: filePath, id: 1, body: { position: 1 }, status: 200 },
  { as: 'ada', method: 'patch', path: filePath, id: 1, body: { position: 3 }, status: 400 },
  { as: 'zoe', method: 'patch', path: filePath, id: 1, body: { position: 1 }, status: 403 },
  { as: 'zoe', method: 'delete', path: filePath, id: 1, status: 403 },
  { as: 'ada', method: 'delete', path: filePath, id: 1, status: 204 },
  { as: 'ada', method: 'delete', path: projectPath, id: 2, status: 403 },
  { as: 'ada', method: 'delete', path: projectPath, id: 1, status: 204 },
  { as: 'ada', method: 'get', path: '/api/v1/trash/', status: 200 },
  { method: 'get', path: '/api/v1/trash/', status: 401 },
  { as: 'ada', method: 'post', path: `${projectPath}restore/`, id: 1, status: 200 },
  { as: 'zoe', method: 'post', path: `${projectPath}restore/`, id: 1, status: 404 },
  { as: 'mo', method: 'get', path: `${projectPath}lineage/`, id: 1, status: 200 },
  { method: 'get', path: `${projectPath}lineage/`, id: 10, status: 200 },
  { method: 'get', path: `${projectPath}copies/`, id: 1, status: 200 },
  ...['/api/v1/changes/', '/api/v1/tags/', '/api/v1/contributors/'].map((path) => ({
    as: 'mo',
    method: 'get',
    path,
    status: 200,
  })),
  { method: 'get', path: '/api/v1/contributors/{id}/', id: 7, status: 200 },
];
