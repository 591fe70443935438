// Responds with a record of the gallery in the file that the first argument names, by one prepared statement and
// JSON.stringify, without rights, limits, a log or errors: what a response that is made anew costs at least.

import { Database } from 'bun:sqlite';

interface Row {
  readonly id: number;
  readonly created: number;
  readonly modified: number;
  readonly title: string;
  readonly uuid: string;
  readonly slug: string;
  readonly copied_from: number | null;
  readonly contributor: number;
  readonly username: string;
  readonly shown_name: string;
  readonly visibility: string;
  readonly tags: string;
  readonly text: string;
  readonly status: number;
  readonly rating_count: number;
  readonly rating_sum: number;
  readonly karma: number;
}

const database = new Database(process.argv[2], { readonly: true });
const statement = database.query<Row, [number]>(
  `select project.id, project.created, modified, title, uuid, slug, copied_from, contributor, username, shown_name, visibility,
     tags, text, status, rating_count, rating_sum, karma
   from project join contributor on contributor.id = contributor
   where project.id = ? and visibility = 'public' and status = 1`,
);
const format = (instant: number) =>
  `${new Date(instant / 1000).toISOString().slice(0, 23)}${String(instant % 1000).padStart(3, '0')}+00:00`;
const headers = {
  Allow: 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS',
  'Content-Type': 'application/json',
  Vary: 'Accept',
};

const server = Bun.serve({
  port: 0,
  routes: {
    '/api/v1/projects/:id/': (request) => {
      const base = `http://${request.headers.get('Host')}`;
      const row = statement.get(Number(request.params.id));
      if (!row) return new Response('{"detail":"Not found."}', { status: 404, headers });
      const { id, created, modified, contributor, username, shown_name, ...others } = row;
      const record = {
        id,
        url: `${base}/api/v1/projects/${id}/?format=api`,
        html_url: `${base}/content/${row.uuid}/${row.slug}/`,
        created: format(created),
        modified: format(modified),
        contributor_name: shown_name,
        contributor_html_url: `${base}/contributors/${contributor}-${username}/?format=api`,
        ...others,
      };
      return new Response(JSON.stringify(record), { headers });
    },
  },
});
console.log(`listening on ${server.port}`);
