// /content/<uuid>/<slug>/files/: the files of a project, each with what it shows in words; what comes, goes, and in
// which order.

import { readFields } from '../../fields.ts';
import { filesPath, projectPath } from '../../gallery/addresses.ts';
import { idFrom } from '../../gallery/ids.ts';
import { attach, changeMedia, detach } from '../../gallery/media/change.ts';
import { mediaFields } from '../../gallery/media/fields.ts';
import { kindOf, limits, type Media } from '../../gallery/media/media.ts';
import { prepareUploads } from '../../gallery/media/prepare.ts';
import { anyVersion } from '../../gallery/projects/change.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { ButtonForm, Members, Token, titleOf, Wrong } from '../form.tsx';
import type { Frame } from '../frame.ts';
import { page } from '../layout.tsx';
import { Cover, inWords } from '../media.tsx';
import { seeOther } from '../moved.ts';
import { Title } from '../named.tsx';
import type { PageParts, Served } from '../serve.ts';
import { transactOnce } from '../transact.ts';
import { changeable } from './changeable.ts';
import { oneFile } from './kinds.ts';

const fields = { ...oneFile, file: { ...oneFile.file, required: true } };

export async function filesPage(parts: PageParts, served: Served) {
  const found = await changeable(parts, served);
  const { frame, refused, params } = served;
  const media = (await parts.projects.media([found.id])).get(found.id) ?? [];
  const adding = params.number === undefined ? refused : undefined;
  return page(frame, {
    title: titleOf(refused, `Files of ${found.title}`),
    listed: false,
    keeps: 'nothing',
    children: (
      <div class="narrow">
        <p class="kind">files</p>
        <h1>
          Files of <Title of={found} />
        </h1>
        <Wrong refused={refused} fields={fields} />
        {media.length === 0 && <p class="empty">It has no files yet.</p>}
        <ol class="rows own-files">
          {media.map((one) => (
            <One media={one} project={found} frame={frame} />
          ))}
        </ol>
        {media.length < limits.files ? (
          <>
            <h2>Another one</h2>
            <form class="asking" method="post" action={filesPath(found)} enctype="multipart/form-data">
              <Token token={frame.token} />
              <Members fields={fields} refused={adding} />
              <button type="submit">Add it</button>
            </form>
          </>
        ) : (
          <p>There is room for {limits.files} files.</p>
        )}
        <p>
          <a href={projectPath(found)}>Done</a>
        </p>
      </div>
    ),
  });
}

interface OneProps {
  readonly media: Media;
  readonly project: Project;
  readonly frame: Frame;
}

function One({ media, project, frame }: OneProps) {
  const action = `${filesPath(project)}${media.number}/`;
  const picture = kindOf(media.type).shown === 'picture';
  return (
    <li>
      {picture && <Cover media={media} />}
      <div>
        <b>
          <bdi>{media.name}</bdi>
        </b>
        <p class="by">
          {kindOf(media.type).words}, {inWords(media.sizes.at(-1)?.bytes ?? 0)}
        </p>
        <form class="asking" method="post" action={action}>
          <Token token={frame.token} />
          <Members
            prefix={`file-${media.number}`}
            fields={{ alt: { ...mediaFields.alt, label: 'What it shows' } }}
            values={{ alt: media.alt }}
          />
          <div class="buttons">
            <button class="quiet" type="submit">
              Save the words<span class="unseen"> for {media.name}</span>
            </button>
            {media.position > 1 && (
              <button class="quiet" type="submit" name="position" value="1">
                Put first<span class="unseen"> {media.name}</span>
              </button>
            )}
          </div>
        </form>
        <ButtonForm action={`${action}remove/`} token={frame.token} kind="plain">
          Remove<span class="unseen"> {media.name}</span>
        </ButtonForm>
      </div>
    </li>
  );
}

export async function addFiles(parts: PageParts, served: Served) {
  const found = await changeable(parts, served);
  const { file = [], alt = [] } = readFields(fields, (await served.context.body()).data);
  const prepared = await prepareUploads(parts.files, file);
  await transactOnce(parts, served, (act) => attach(act, found.id, anyVersion, prepared, alt));
  return seeOther(filesPath(found));
}

export async function changeFile(parts: PageParts, served: Served) {
  const found = await changeable(parts, served);
  const values = readFields(mediaFields, (await served.context.body()).data);
  await transactOnce(parts, served, (act) =>
    changeMedia(act, found.id, numberOf(served), anyVersion, () => values),
  );
  return seeOther(filesPath(found));
}

export async function removeFile(parts: PageParts, served: Served) {
  const found = await changeable(parts, served);
  await transactOnce(parts, served, (act) => detach(act, found.id, numberOf(served), anyVersion));
  return seeOther(filesPath(found));
}

const numberOf = ({ params }: Served) => idFrom(params.number);
