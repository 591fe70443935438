// When a class ends: shown to those who look after it, and set by its owner and moderators.

import { DateTimeText } from '../../core/pages/layout/components.tsx';
import { ErrorSummary, Form, QuietButton } from '../../core/pages/layout/form.tsx';
import { useLayout } from '../../core/pages/layout/layout-data.ts';
import { readTimeField, TimeField } from '../../core/pages/layout/time-field.tsx';
import { form, type PageContext, seeOther } from '../../core/pages/page.ts';
import { can } from '../../core/viewer/permissions.ts';
import type { Project } from '../../projects/project.ts';
import { changeProject } from '../../projects/writing/change-project.ts';
import { classPath, findClass } from './class-page.tsx';

export function ClassEnd({ collection }: { collection: Project }) {
  const { viewer, language, formErrors } = useLayout();
  const { t, rich } = language;
  const errors = formErrors && 'ends' in formErrors.values ? formErrors : undefined;
  const { ends } = collection;
  return (
    <>
      <h2>{t('classes.end')}</h2>
      {ends === null ? (
        <p>{t('classes.endless')}</p>
      ) : (
        <p>{rich('classes.ends', { date: <DateTimeText instant={ends} /> })}</p>
      )}
      {can(viewer, 'changeProject', collection.contributor) && (
        <Form class="stacked-form" action={`${classPath(collection, 'class/')}ends/`}>
          <ErrorSummary formErrors={errors} />
          <TimeField
            name="ends"
            label="classes.endsAt"
            help="classes.endsHelp"
            instant={ends}
            formErrors={errors}
          />
          <QuietButton>{t('classes.save')}</QuietButton>
        </Form>
      )}
    </>
  );
}

async function submitEnd(context: PageContext) {
  const collection = await findClass(context);
  const { data } = await context.request.readBody();
  const ends = readTimeField(data, 'ends', context.timeZone) ?? null;
  await context.transact((write) => changeProject(write, collection.id, () => ({ ends })));
  return seeOther(classPath(collection, 'class/'));
}

export const classEndRoutes = [form('/content/:uuid/:slug/class/ends/', 'changeCollection', submitEnd)];
