// Removing a thing that nobody need have reported.

import { removalFields } from '../../gallery/moderation/decision.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { Members, Token } from '../form.tsx';

interface RemovalProps {
  readonly project: Project;
  readonly token: string | undefined;
}

export function Removal({ project, token }: RemovalProps) {
  return (
    <section aria-labelledby="removal">
      <h2 id="removal">Or, as a moderator, remove it now</h2>
      <form class="asking" method="post" action="/moderation/">
        <Token token={token} />
        <input type="hidden" name="project" value={String(project.id)} />
        <Members fields={removalFields} prefix="r" />
        <button class="danger" type="submit" name="decision" value="remove">
          Remove it
        </button>
      </form>
    </section>
  );
}
