// /content/<uuid>/<slug>/edit/, …/state/ and …/away/: what becomes of something that is there.

import { Invalid } from '../../errors.ts';
import { readFields } from '../../fields.ts';
import { filesPath, projectPath } from '../../gallery/addresses.ts';
import { anyVersion, change, trash } from '../../gallery/projects/change.ts';
import { daysInTrash } from '../../gallery/projects/erase.ts';
import { projectFields } from '../../gallery/projects/fields.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { lookUpScript, writingScript } from '../assets.ts';
import { ButtonForm, Token, titleOf } from '../form.tsx';
import type { Frame } from '../frame.ts';
import { page } from '../layout.tsx';
import { seeOther } from '../moved.ts';
import { Title } from '../named.tsx';
import type { PageParts, Served } from '../serve.ts';
import { transactOnce } from '../transact.ts';
import { changeable } from './changeable.ts';
import { fieldsOf } from './kinds.ts';
import { WritingForm } from './writing-form.tsx';

export async function editPage(parts: PageParts, served: Served) {
  const found = await changeable(parts, served);
  const { frame, refused } = served;
  const path = projectPath(found);
  return page(frame, {
    title: titleOf(refused, `Edit ${found.title}`),
    listed: false,
    keeps: 'nothing',
    scripts: [writingScript, lookUpScript],
    children: (
      <div class="narrow">
        <p class="kind">{found.content_type}</p>
        <h1>
          Edit <Title of={found} />
        </h1>
        <WritingForm
          served={served}
          type={found.content_type}
          fields={fieldsOf(found.content_type)}
          action={`${path}edit/`}
          values={{ ...found }}
          since={found.modified}
        >
          {found.status === 0 ? (
            <>
              <button type="submit" name="status" value="1">
                Publish
              </button>
              <button class="quiet" type="submit" name="status" value="0">
                Save the draft
              </button>
            </>
          ) : (
            <button type="submit">Save</button>
          )}
        </WritingForm>
        <Otherwise project={found} frame={frame} />
      </div>
    ),
  });
}

/** What can be done with it but to write it anew. */
function Otherwise({ project, frame }: { project: Project; frame: Frame }) {
  const path = projectPath(project);
  const states = {
    0: [],
    1: [
      { status: 2, words: 'Archive it', help: 'It can be read and is marked as it is; lists leave it out.' },
      { status: 0, words: 'Make it a draft again', help: 'Nobody but you sees a draft.' },
    ],
    2: [{ status: 1, words: 'Publish it again', help: 'It comes back into the lists.' }],
    3: [],
  }[project.status];
  return (
    <section class="otherwise" aria-labelledby="otherwise">
      <h2 id="otherwise">Or</h2>
      <ul class="rows">
        {project.content_type !== 'comment' && (
          <li>
            <span>Pictures, videos and documents that belong to it.</span>
            <a class="button quiet" href={filesPath(project)}>
              Files
            </a>
          </li>
        )}
        {states.map(({ status, words, help }) => (
          <li>
            <span>{help}</span>
            <form method="post" action={`${path}state/`}>
              <Token token={frame.token} />
              <button class="quiet" type="submit" name="status" value={String(status)}>
                {words}
              </button>
            </form>
          </li>
        ))}
        <li>
          <span>It goes into the trash for {daysInTrash} days.</span>
          <a class="button quiet" href={`${path}away/`}>
            Take it away
          </a>
        </li>
      </ul>
    </section>
  );
}

export async function takeEdit(parts: PageParts, served: Served) {
  const { data } = await served.context.body();
  if ('preview' in data) return editPage(parts, { ...served, refused: { typed: data, wrong: {} } });
  const found = await changeable(parts, served);
  const { visibility, status } = projectFields;
  const fields = { ...fieldsOf(found.content_type), visibility, status };
  const changed = await transactOnce(parts, served, (act) =>
    change(act, found.id, anyVersion, ({ modified }) => {
      if (data.since !== String(modified))
        throw new Invalid({
          non_field_errors: [
            'It was changed after you began. What you wrote is below; saving again puts it in the place of what is there now.',
          ],
        });
      return readFields(fields, data, { partial: true });
    }),
  );
  return seeOther(projectPath(changed));
}

export async function takeState(parts: PageParts, served: Served) {
  const found = await changeable(parts, served);
  const state = { ...projectFields.status, required: true };
  const { status } = readFields({ status: state }, (await served.context.body()).data);
  await transactOnce(parts, served, (act) => change(act, found.id, anyVersion, () => ({ status })));
  return seeOther(projectPath(found));
}

export async function awayPage(parts: PageParts, served: Served) {
  const found = await changeable(parts, served);
  const { frame } = served;
  const path = projectPath(found);
  return page(frame, {
    title: `Take ${found.title} away`,
    listed: false,
    children: (
      <div class="narrow">
        <h1>
          Take <bdi>{found.title}</bdi> away?
        </h1>
        <p>
          Nobody will find it any more, nor what was said of it. You have {daysInTrash} days to bring it back
          from <a href="/mine/?show=trash">the trash</a>; copies that others made stay.
        </p>
        <div class="buttons">
          <ButtonForm action={`${path}away/`} token={frame.token} kind="danger">
            Take it away
          </ButtonForm>
          <a href={path}>No, leave it</a>
        </div>
      </div>
    ),
  });
}

export async function takeAway(parts: PageParts, served: Served) {
  const found = await changeable(parts, served);
  await transactOnce(parts, served, (act) => trash(act, found.id, anyVersion));
  return seeOther(found.contributor === served.viewer.contributor ? '/mine/?show=trash' : '/moderation/');
}
