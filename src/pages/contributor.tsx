// /contributors/<id>-<username>/: who somebody is, and what they made.

import { contributorPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { findContributor } from '../gallery/contributors/find.ts';
import { idFrom } from '../gallery/ids.ts';
import type { Kind } from '../gallery/projects/find.ts';
import { contentTypes } from '../gallery/projects/project.ts';
import { answer } from '../rest/answer.ts';
import { Pager } from '../rest/renderers/pager.tsx';
import { feedAlternates, jsonAlternate } from './alternates.ts';
import { Cards, deal } from './cards.tsx';
import { page } from './layout.tsx';
import { addressWith, numbered, pageAddress, withoutComments } from './listing.ts';
import { movedTo } from './moved.ts';
import type { PageParts, Served } from './serve.ts';
import { Day } from './times.tsx';

export async function contributor(parts: PageParts, { params, address, base, viewer, frame }: Served) {
  const { database, projects, timeZone: zone } = parts;
  const id = contributorId(params.name);
  const person = await findContributor(database, id);
  const path = contributorPath(person.id, person.username);
  if (address.path !== path) return movedTo(`${base}${path}`, address);
  // Whoever follows a record's `?format=api` wants to see the person; programs ask for JSON.
  if (address.query.get('format') === 'json')
    return answer(302, { Location: `${base}/api/v1/contributors/${id}/?format=json` });
  const type = address.query.get('content_type') ?? '';
  const choices = projects.choicesOf([
    ...projects.choose('contributor', String(id)),
    ...(type ? projects.choose('content_type', type) : []),
  ]);
  const [shown, kinds] = await Promise.all([
    numbered(projects.listing(viewer, withoutComments(projects, choices)), address.query),
    projects.kinds(viewer, id),
  ]);
  const query = new URLSearchParams(type && { content_type: type });
  const name = displayName(person);
  const at = pageAddress(path, query);
  return page(frame, {
    title: shown.number > 1 ? `${name}, page ${shown.number}` : name,
    description: `What ${name} made.`,
    canonical: `${base}${at(shown.number)}`,
    alternates: [
      jsonAlternate(`/api/v1/contributors/${id}/?format=json`),
      ...feedAlternates(path, '', `By ${name}`),
    ],
    children: (
      <>
        <header class="narrow">
          <h1>
            <bdi>{name}</bdi>
          </h1>
          <p class="by">
            <bdi>{person.username}</bdi> · here since <Day at={person.created} zone={zone} />
          </p>
          <Sums kinds={kinds} />
        </header>
        <Types path={path} type={type} kinds={kinds} />
        {shown.count === 0 ? (
          <p class="empty">
            <bdi>{name}</bdi> has shown nothing {type && `of the type ${type} `}yet.
          </p>
        ) : (
          <Cards dealt={await deal(projects, viewer, shown.projects)} zone={zone} unsigned />
        )}
        <Pager {...shown} address={at} />
      </>
    ),
  });
}

export const contributorId = (name = '') => idFrom(name.split('-', 1)[0]);

function Sums({ kinds }: { kinds: readonly Kind[] }) {
  const sum = (of: (kind: Kind) => number) => kinds.reduce((total, kind) => total + of(kind), 0);
  const made = ({ content_type, count }: Kind) => (content_type === 'comment' ? 0 : count);
  return (
    <dl class="facts">
      <div>
        <dt>Made</dt>
        <dd>{sum(made).toLocaleString('en')}</dd>
      </div>
      <div>
        <dt>Karma</dt>
        <dd>{sum(({ karma }) => karma).toLocaleString('en')}</dd>
      </div>
    </dl>
  );
}

function Types({ path, type, kinds }: { path: string; type: string; kinds: readonly Kind[] }) {
  const has = new Map(kinds.map(({ content_type, count }) => [content_type as string, count]));
  if (has.size < 2 && type === '') return null;
  return (
    <nav class="narrowing" aria-label="Types">
      <ul class="types">
        {['', ...contentTypes.filter((name) => has.has(name) || name === type)].map((name) => (
          <li>
            <a
              href={addressWith(path, new URLSearchParams(), { content_type: name })}
              aria-current={name === type ? 'true' : undefined}
            >
              {name || 'all'}
            </a>
            {name && <span class="faint"> {(has.get(name) ?? 0).toLocaleString('en')}</span>}
          </li>
        ))}
      </ul>
    </nav>
  );
}
