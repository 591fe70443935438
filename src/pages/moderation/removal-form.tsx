// The form with which a moderator removes a project that is not in the queue.

import { requiredReasonFields } from '../../gallery/decisions/decision.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { CsrfField, FormFields } from '../layout/form.tsx';
import { useLanguage } from '../layout/layout-data.ts';

interface RemovalFormProps {
  readonly project: Project;
}

export function RemovalForm({ project }: RemovalFormProps) {
  const { t } = useLanguage();
  return (
    <section aria-labelledby="removal">
      <h2 id="removal">{t('removal.title')}</h2>
      <form class="stacked-form" method="post" action="/moderation/">
        <CsrfField />
        <input type="hidden" name="project" value={String(project.id)} />
        <FormFields fields={requiredReasonFields} prefix="r" />
        <button class="danger" type="submit" name="decision" value="remove">
          {t('queue.remove')}
        </button>
      </form>
    </section>
  );
}
