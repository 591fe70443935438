// /moderation/log/: who decided what, when and why; all of it, of one moderator, or on one thing.

import { textField } from '../../fields.ts';
import { personNamed } from '../../gallery/accounts/account.ts';
import { parseId } from '../../gallery/ids.ts';
import { decisions } from '../../gallery/moderation/log.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { Pager } from '../../rest/renderers/pager.tsx';
import { Members, Wrong } from '../form.tsx';
import { numberedOf, pageAddress } from '../listing.ts';
import type { PageParts, Refused, Served } from '../serve.ts';
import { Deed } from './deed.tsx';
import { room } from './room.tsx';

const path = '/moderation/log/';

const fields = {
  moderator: textField({ label: 'Moderator', help: 'A username.', most: 150, blank: true }),
  thing: textField({ label: 'Thing', help: 'The address of its page, or its id.', most: 300, blank: true }),
};

export async function log(parts: PageParts, served: Served) {
  const { database, timeZone: zone } = parts;
  const { query } = served.address;
  authorizeAny(served.viewer, 'seeReports');
  const typed = { moderator: query.get('moderator') ?? '', thing: query.get('thing') ?? '' };
  const { wanted, wrong } = await understood(parts, typed);
  const missing: Refused | undefined = Object.keys(wrong).length ? { typed, wrong } : undefined;
  const shown = missing
    ? { items: [], count: 0, number: 1, last: 1 }
    : await numberedOf(decisions(database, wanted), query);
  const kept = new URLSearchParams(Object.entries(typed).filter(([, text]) => text));
  return room(served, {
    path,
    children: (
      <>
        <Wrong refused={served.refused ?? missing} fields={fields} />
        <form class="asking beside-each-other" action={path}>
          <Members fields={fields} values={typed} refused={missing} />
          <button class="quiet" type="submit">
            Narrow it down
          </button>
        </form>
        {shown.count === 0 ? (
          !missing && <p class="empty">Nothing was decided yet.</p>
        ) : (
          <ol class="rows">
            {shown.items.map((entry) => (
              <li>
                <Deed entry={entry} zone={zone} frame={served.frame} />
              </li>
            ))}
          </ol>
        )}
        <Pager {...shown} address={pageAddress(path, kept)} />
      </>
    ),
  });
}

/** Whose and what's decisions are asked for, and what of that there is not. */
async function understood(
  { database, projects }: PageParts,
  { moderator, thing }: { moderator: string; thing: string },
) {
  const wrong: Record<string, string[]> = {};
  const person = moderator ? await personNamed(database, moderator) : undefined;
  if (moderator && !person) wrong.moderator = ['Nobody is called that.'];
  const [, uuid] = /\/content\/([A-Za-z0-9]{4,40})(?:\/|$)/.exec(thing) ?? [];
  const project = uuid ? await projects.idOf(uuid) : parseId(thing.trim());
  if (thing && project === undefined) wrong.thing = ['There is nothing at that address.'];
  return { wanted: { moderator: person?.id, project }, wrong };
}
