// /moderation/classes/: makes classes, and lists those that there are.

import { textField } from '#rest/fields.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { Byline, ContributorLink, DateText, Pager, Rows } from '../../core/pages/layout/components.tsx';
import { PostForm } from '../../core/pages/layout/form.tsx';
import { findNamedPerson, usernameField } from '../../core/pages/layout/named-person.ts';
import { ModerationPage } from '../../core/pages/moderation-page.tsx';
import { type PageContext, page, seeOther } from '../../core/pages/page.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { loadListPage } from '../../projects/pages/list/list-query.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import { projectLimits } from '../../projects/project.ts';
import { createProject } from '../../projects/writing/create.ts';
import { setPerson } from '../collections/people.ts';
import { classPath } from './class-page.tsx';
import { FirstSteps } from './first-steps.tsx';
import { classListPath } from './path.ts';
import { listClasses } from './pupils.ts';

const getFields = ({ t }: Translator) => ({
  title: textField({
    label: t('classes.title'),
    required: true,
    maxLength: projectLimits.title,
    isSingleLine: true,
  }),
  teacher: usernameField({
    label: t('classes.teacherName'),
    help: t('classes.teacherHelp'),
    allowsBlank: true,
  }),
});

async function showClassesPage(context: PageContext) {
  const { database, viewer, url, formErrors, layout, t } = context;
  const classes = await loadListPage(listClasses(database, viewer), url.query);
  return context.render(
    <ModerationPage path={classListPath}>
      {classes.count === 0 && <FirstSteps current="class" />}
      <div class="invitations">
        <section>
          <h2>{t('classes.new')}</h2>
          <PostForm
            action={classListPath}
            fields={getFields(layout.language)}
            formErrors={formErrors}
            button={t('classes.newButton')}
            isOnce
          />
        </section>
        <section>
          <h2>{t('classes.all')}</h2>
          <Rows empty={t('classes.none')}>
            {classes.items.map((project) => (
              <li>
                <div>
                  <ProjectLink project={project} />
                  <Byline
                    parts={[<ContributorLink project={project} />, <DateText instant={project.created} />]}
                  />
                </div>
              </li>
            ))}
          </Rows>
          <Pager {...classes} urlOf={createPageUrl(classListPath)} />
        </section>
      </div>
    </ModerationPage>,
  );
}

async function submitClass(context: PageContext) {
  const { title, teacher = '' } = await context.readForm(getFields(context.layout.language));
  const account = teacher === '' ? undefined : await findNamedPerson(context, 'teacher', teacher);
  const collection = await context.transact(async (write) => {
    const made = await createProject(write, {
      title,
      content_type: 'collection',
      kind: 'class',
      visibility: 'class',
    });
    if (account && account.id !== made.contributor)
      await setPerson(write, { uuid: made.uuid }, account.id, 'teacher');
    return made;
  });
  return seeOther(classPath(collection, 'class/'));
}

export const classListRoutes = [page(classListPath, 'makeClass', showClassesPage, submitClass)];
