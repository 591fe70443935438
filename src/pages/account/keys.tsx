// /account/keys/: the keys that somebody's programs show. A key is told once, on the page that answers its making.

import { readFields } from '../../fields.ts';
import { aYear, keyFields } from '../../gallery/accounts/key-fields.ts';
import { type Key, keysOf, makeKey, revokeKey } from '../../gallery/accounts/keys.ts';
import { idFrom } from '../../gallery/ids.ts';
import { now } from '../../gallery/instant.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { signedIn } from '../../gallery/projects/change.ts';
import { ButtonForm, Members, Token, Wrong } from '../form.tsx';
import type { Frame } from '../frame.ts';
import { page } from '../layout.tsx';
import { seeOther } from '../moved.ts';
import type { PageParts, Served } from '../serve.ts';
import { Day } from '../times.tsx';

const path = '/account/keys/';

export async function keysPage(parts: PageParts, served: Served) {
  return keysWith(parts, served, undefined);
}

export async function addKey(parts: PageParts, served: Served) {
  const { viewer, context } = served;
  authorizeAny(viewer, 'changeAccount');
  const fields = keyFields(parts.timeZone);
  const { name = '', access = 'read', expires = aYear } = readFields(fields, (await context.body()).data);
  const contributor = signedIn(viewer);
  const wish = { contributor, name, writes: access === 'write', expires };
  const { secret } = await makeKey(parts.database, contributor, wish);
  return keysWith(parts, served, secret);
}

export async function dropKey({ database }: PageParts, { viewer, params }: Served) {
  authorizeAny(viewer, 'changeAccount');
  await revokeKey(database, viewer.contributor, idFrom(params.id), signedIn(viewer));
  return seeOther(path);
}

async function keysWith({ database, timeZone }: PageParts, served: Served, made: string | undefined) {
  const { frame, viewer, refused } = served;
  authorizeAny(viewer, 'seeAccount');
  const keys = await keysOf(database, signedIn(viewer));
  const fields = keyFields(timeZone);
  return page(frame, {
    title: 'Keys',
    listed: false,
    keeps: 'nothing',
    children: (
      <div class="narrow">
        <h1>Keys</h1>
        {made && (
          <div class="notice" role="status">
            <p>This is your new key. It is shown this once: keep it where only your program finds it.</p>
            <pre class="secret">{made}</pre>
          </div>
        )}
        <p>
          A program that shows a key does things in your name. <a href="/api/v1/">What it can do</a>
        </p>
        {keys.length === 0 ? (
          <p class="empty">You have no keys.</p>
        ) : (
          <ul class="rows">
            {keys.map((key) => (
              <Shown key_={key} zone={timeZone} frame={frame} />
            ))}
          </ul>
        )}
        <h2>A new key</h2>
        <Wrong refused={refused} fields={fields} />
        <form class="asking" method="post" action={path}>
          <Token token={frame.token} />
          <Members
            fields={{
              ...fields,
              expires: { ...fields.expires, help: 'After so many days; a year unless you say.' },
            }}
            values={{ access: 'read', expires: 365 }}
            refused={refused}
          />
          <button type="submit">Make a key</button>
        </form>
      </div>
    ),
  });
}

function Shown({ key_: key, zone, frame }: { key_: Key; zone: string; frame: Frame }) {
  const over = key.expires !== null && key.expires <= now();
  return (
    <li>
      <div>
        <b>
          <bdi>{key.name}</bdi>
        </b>{' '}
        {key.writes ? 'reads and writes' : 'only reads'}
        <p class="by">
          made <Day at={key.created} zone={zone} />
          {key.expires !== null && (
            <>
              {over ? ' · over since ' : ' · lasts until '}
              <Day at={key.expires} zone={zone} />
            </>
          )}
          {key.used === null ? (
            ' · never used'
          ) : (
            <>
              {' · last used '}
              <Day at={key.used} zone={zone} />
            </>
          )}
        </p>
      </div>
      <ButtonForm action={`${path}${key.id}/revoke/`} token={frame.token} kind="quiet">
        Revoke<span class="unseen"> {key.name}</span>
      </ButtonForm>
    </li>
  );
}
