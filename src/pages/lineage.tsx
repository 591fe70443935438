// /content/<uuid>/<slug>/lineage/: the family of copies that a project belongs to, drawn and as a list.

import { lineagePath, projectPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { type Kin, lineageOf } from '../gallery/lineage/lineage.ts';
import type { Project } from '../gallery/projects/project.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { jsonAlternate } from './alternates.ts';
import { type Member, planted } from './family.ts';
import { page } from './layout.tsx';
import { movedTo } from './moved.ts';
import { Title } from './named.tsx';
import type { PageParts, Served } from './serve.ts';
import { Tree } from './tree.tsx';

/** So many copies are read; what does not fit the drawing is folded. */
const most = 200;

export async function lineage(parts: PageParts, { params, address, base, viewer, frame }: Served) {
  const found = await parts.projects.byUuid(viewer, params.uuid ?? '');
  const path = lineagePath(found);
  if (address.path !== path) return movedTo(`${base}${path}`, address);
  const { root, size, truncated } = await familyOf(parts, viewer, found);
  const alone = size === 1;
  return page(frame, {
    title: `The family of ${found.title}`,
    description: `What ${found.title} was copied from, and what was made of it.`,
    canonical: `${base}${path}`,
    alternates: [jsonAlternate(`/api/v1/projects/${found.id}/lineage/?format=json`)],
    listed: found.visibility === 'public',
    children: (
      <>
        <p class="kind">lineage</p>
        <h1>
          The family of <Title of={found} />
        </h1>
        {alone ? (
          <p class="empty">
            It was copied from nothing, and nobody has copied it yet. Whoever does will stand here beside it.
          </p>
        ) : (
          <>
            <p class="by">
              Each was copied from the one before it{truncated && '. The family is larger than fits a page'}.
            </p>
            <section class="family" aria-label="Family tree" tabindex={0}>
              <Tree root={root} own={found.id} />
            </section>
            <details>
              <summary>The same as a list</summary>
              <ul class="kin">
                <Branch member={root} own={found.id} />
              </ul>
            </details>
          </>
        )}
      </>
    ),
  });
}

/** From the highest ancestor that the reader may see, and the place above it if there is one. */
async function familyOf({ database }: PageParts, viewer: Viewer, found: Project) {
  const near = await lineageOf(database, viewer, found, most);
  const own: Kin = { id: found.id, copied_from: found.copied_from, project: found };
  const above = near.ancestors.toReversed();
  const first = above.find(({ project }) => project);
  // Their tree holds this one's too, unless it was cut.
  const far = first ? await lineageOf(database, viewer, first, most) : near;
  const line = [...above, own].map((kin, index, all) => ({
    ...kin,
    copied_from: all[index - 1]?.id ?? null,
  }));
  return {
    ...planted(line, [...far.copies, ...near.copies], found.id),
    truncated: far.truncated || near.truncated,
  };
}

function Branch({ member, own }: { member: Member; own: number }) {
  const { kin, copies, folded } = member;
  return (
    <li>
      {kin.project ? (
        <>
          <a href={projectPath(kin.project)} aria-current={kin.id === own ? 'true' : undefined}>
            <bdi>{kin.project.title}</bdi>
          </a>{' '}
          by <bdi>{displayName(kin.project)}</bdi>
        </>
      ) : (
        <span class="faint">One that is gone, or not for everyone to see</span>
      )}
      {(copies.length > 0 || folded > 0) && (
        <ul>
          {copies.map((copy) => (
            <Branch member={copy} own={own} />
          ))}
          {folded > 0 && (
            <li>
              {kin.project ? (
                <a href={`/?copied_from=${kin.id}`}>{folded} more</a>
              ) : (
                <span class="faint">{folded} more</span>
              )}
            </li>
          )}
        </ul>
      )}
    </li>
  );
}
