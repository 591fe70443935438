// /content/<uuid>/<slug>/hand-ins/: what the members of a class have handed in, and when the class is due.

import { NotFound } from '#common/errors.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { formatInstant, type Instant, now, parseInstant } from '../../core/instant.ts';
import { adminStylesheet, localTimeScript } from '../../core/pages/assets.ts';
import { DateTimeText } from '../../core/pages/layout/components.tsx';
import { ErrorSummary, Form } from '../../core/pages/layout/form.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { readTimeField, TimeField } from '../../core/pages/layout/time-field.tsx';
import { type PageContext, page, type Sections, seeOther } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import type { Project } from '../../projects/project.ts';
import { changeProject } from '../../projects/writing/change-project.ts';
import { ClassPage, classPath, findClass } from '../classes/class-page.tsx';
import { HandInState } from './archive.tsx';
import { type HandIn, listDueTimes, loadHandIns } from './hand-in.ts';
import { sections as nextDue } from './next-due.tsx';
import { sections as ownHandIns } from './notices.tsx';

const path = '/content/:uuid/:slug/hand-ins/';

const toQuery = (due: Instant) => new URLSearchParams({ due: formatInstant(due, 'UTC') });

async function showHandInsPage(context: PageContext) {
  const { database, viewer, url, formErrors, t } = context;
  const collection = await findClass(context);
  const times = await listDueTimes(database, collection);
  const asked = url.query.get('due');
  const due = asked === null ? collection.due : parseInstant(asked, 'UTC');
  if (due === undefined) throw new NotFound();
  const handIns = due === null ? [] : await loadHandIns(database, viewer, collection, due);
  const others = times.filter((time) => time.due !== due);
  return context.render(
    <ClassPage
      collection={collection}
      section="hand-ins/"
      stylesheets={[adminStylesheet]}
      scripts={[localTimeScript]}
    >
      <ErrorSummary formErrors={formErrors} />
      <Form class="stacked-form narrow" action={classPath(collection, 'hand-ins/')}>
        <TimeField
          name="due"
          label="handIns.due"
          help="handIns.dueHelp"
          instant={collection.due}
          formErrors={formErrors}
        />
        <button type="submit">{t('handIns.save')}</button>
      </Form>
      {due === null ? (
        <p class="empty">{t('handIns.none')}</p>
      ) : (
        <HandIns collection={collection} due={due} handIns={handIns} />
      )}
      {others.length > 0 && (
        <>
          <h2>{t('handIns.other')}</h2>
          <ul>
            {others.map((time) => (
              <li>
                <a href={`${classPath(collection, 'hand-ins/')}?${toQuery(time.due)}`}>
                  <DateTimeText instant={time.due} />
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </ClassPage>,
  );
}

interface HandInsProps {
  readonly collection: Project;
  readonly due: Instant;
  readonly handIns: readonly HandIn[];
}

function HandIns({ collection, due, handIns }: HandInsProps) {
  const { t } = useLanguage();
  const api = `/api/v1/projects/${collection.id}/hand-ins/`;
  return (
    <section>
      <h2>
        <DateTimeText instant={due} />
      </h2>
      {due > now() && <p>{t('handIns.notYet')}</p>}
      <ul class="rows narrow">
        {handIns.map((handIn) => (
          <HandInRow handIn={handIn} />
        ))}
      </ul>
      <div class="buttons">
        <a class="button quiet" href={`${api}archive/?${toQuery(due)}`} download>
          {t('handIns.zip')}
        </a>
        <a class="button quiet" href={`${api}?${toQuery(due)}&format=csv`} download>
          {t('handIns.csv')}
        </a>
      </div>
    </section>
  );
}

function HandInRow({ handIn: { person, work } }: { handIn: HandIn }) {
  const { t } = useLanguage();
  const title = <bdi>{work?.content?.title ?? t('handIns.redacted')}</bdi>;
  return (
    <li>
      <div>
        <b>
          <bdi>{displayName(person)}</bdi>
        </b>
        {' · '}
        {work?.address && <a href={projectPath(work.address)}>{title}</a>}
        {work && !work.address && title}
        {!work && <span class="faint">{t('handIns.nothing')}</span>}
        {work && (
          <p class="byline">
            <HandInState work={work} />
          </p>
        )}
      </div>
    </li>
  );
}

async function submitDueTime(context: PageContext) {
  const collection = await findClass(context);
  const { data } = await context.request.readBody();
  const due = readTimeField(data, 'due', context.timeZone) ?? null;
  await context.transact((write) => changeProject(write, collection.id, () => ({ due })));
  return seeOther(classPath(collection, 'hand-ins/'));
}

export const routes = [page(path, 'changeCollection', showHandInsPage, submitDueTime)];

export const sections: Sections = { ...ownHandIns, ...nextDue };
