// The form with which a moderator removes a project that is not in the queue.

import { requiredReasonFields } from '../../gallery/moderation/decision.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { CsrfField, FormFields } from '../form.tsx';

interface RemovalFormProps {
  readonly project: Project;
}

export function RemovalForm({ project }: RemovalFormProps) {
  return (
    <section aria-labelledby="removal">
      <h2 id="removal">Remove it as a moderator</h2>
      <form class="stacked-form" method="post" action="/moderation/">
        <CsrfField />
        <input type="hidden" name="project" value={String(project.id)} />
        <FormFields fields={requiredReasonFields} prefix="r" />
        <button class="danger" type="submit" name="decision" value="remove">
          Remove it
        </button>
      </form>
    </section>
  );
}
