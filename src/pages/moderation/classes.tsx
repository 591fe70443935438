// /moderation/classes/: makes classes, and lists those that there are.

import { textField } from '../../common/fields.ts';
import { listClasses } from '../../gallery/classes/accounts.ts';
import { setPerson } from '../../gallery/collections/people.ts';
import { projectLimits } from '../../gallery/projects/project.ts';
import { createProject } from '../../gallery/projects/writing/create.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import { classPath } from '../classes/class-page.tsx';
import { findNamedPerson, usernameField } from '../collections/named-person.ts';
import { loadListPage } from '../home/listing.ts';
import { Byline, ContributorLink, DateText, Pager, ProjectLink, Rows } from '../layout/components.tsx';
import { PostForm } from '../layout/form.tsx';
import type { Translator } from '../messages/translator.ts';
import { type PageContext, page, seeOther } from '../page.ts';
import { ModerationPage } from './moderation-page.tsx';

const path = '/moderation/classes/';

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
    <ModerationPage path={path}>
      <div class="invitations">
        <section>
          <h2>{t('classes.new')}</h2>
          <PostForm
            action={path}
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
          <Pager {...classes} urlOf={createPageUrl(path)} />
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

export const classListRoutes = [page(path, 'makeClass', showClassesPage, submitClass)];
