// /new/ and /new/<type>/: what somebody wants to show.

import { NotFound } from '../../errors.ts';
import { readFields } from '../../fields.ts';
import { projectPath } from '../../gallery/addresses.ts';
import { add } from '../../gallery/media/change.ts';
import { prepareUploads } from '../../gallery/media/prepare.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { make } from '../../gallery/projects/change.ts';
import { projectFields } from '../../gallery/projects/fields.ts';
import { type Made, madeTypes } from '../../gallery/projects/project.ts';
import { lookUpScript, writingScript } from '../assets.ts';
import { titleOf } from '../form.tsx';
import { page } from '../layout.tsx';
import { seeOther } from '../moved.ts';
import type { PageParts, Served } from '../serve.ts';
import { transactOnce } from '../transact.ts';
import { isMade, kinds, newFieldsOf } from './kinds.ts';
import { WritingForm } from './writing-form.tsx';

export async function choosePage(_: PageParts, { frame, viewer }: Served) {
  authorizeAny(viewer, 'makeProject');
  return page(frame, {
    title: 'New',
    listed: false,
    children: (
      <>
        <h1>What is it?</h1>
        <ul class="cards kinds">
          {madeTypes.map((type) => (
            <li class={`card of-${type}`}>
              <h2 class="name">
                <a href={`/new/${type}/`}>{capital(kinds[type].noun)}</a>
              </h2>
              <p>{kinds[type].about}</p>
            </li>
          ))}
        </ul>
      </>
    ),
  });
}

export async function newPage(_: PageParts, served: Served) {
  const { frame, viewer, refused } = served;
  const type = typeOf(served);
  authorizeAny(viewer, 'makeProject');
  const { noun, about } = kinds[type];
  return page(frame, {
    title: titleOf(refused, `A new ${noun}`),
    listed: false,
    keeps: 'nothing',
    scripts: [writingScript, lookUpScript],
    children: (
      <div class="narrow">
        <h1>A new {noun}</h1>
        <p class="by">{about}</p>
        <WritingForm
          served={served}
          type={type}
          fields={newFieldsOf(type)}
          action={`/new/${type}/`}
          values={{ visibility: 'public' }}
        >
          <button type="submit" name="status" value="1">
            Publish
          </button>
          <button class="quiet" type="submit" name="status" value="0">
            Save as a draft
          </button>
        </WritingForm>
      </div>
    ),
  });
}

export async function makeNew(parts: PageParts, served: Served) {
  const type = typeOf(served);
  const { data } = await served.context.body();
  if ('preview' in data) return newPage(parts, { ...served, refused: { typed: data, wrong: {} } });
  const { visibility, status } = projectFields;
  const { file = [], alt = [], ...values } = readFields({ ...newFieldsOf(type), visibility, status }, data);
  const prepared = await prepareUploads(parts.files, file);
  const made = await transactOnce(parts, served, async (act) => {
    const project = await make(act, { ...values, content_type: type });
    await add(act.transaction, project, prepared, alt);
    return project;
  });
  return seeOther(projectPath(made));
}

function typeOf({ params: { type = '' } }: Served): Made {
  if (!isMade(type)) throw new NotFound();
  return type;
}

const capital = (noun: string) => `${noun[0]?.toUpperCase()}${noun.slice(1)}`;
