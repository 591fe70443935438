// Shared by the forms of collections: the collection that the address names, and the note on a project.

import { Forbidden } from '../../common/errors.ts';
import { textField } from '../../common/fields.ts';
import { canArrange, collectionLimits, requireCollection } from '../../gallery/collections/items.ts';
import type { Project } from '../../gallery/projects/project.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import type { Translator } from '../messages/translator.ts';
import type { PageContext } from '../page.ts';
import { findProject } from '../project/find-project.ts';

export const findCollection = async (context: PageContext): Promise<Project> =>
  requireCollection(await findProject(context));

export const getNoteField = ({ t }: Translator) =>
  textField({
    label: t('collections.note'),
    help: t('collections.noteHelp'),
    maxLength: collectionLimits.note,
    allowsBlank: true,
  });

export function requireArranger(viewer: Viewer, project: Project): Project {
  const collection = requireCollection(project);
  if (!canArrange(viewer, collection)) throw new Forbidden();
  return collection;
}
