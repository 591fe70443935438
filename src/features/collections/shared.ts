// Shared by the forms of collections: the collection that the address names, the note on a project, and the style sheet.

import { Forbidden } from '#common/errors.ts';
import { textField } from '#rest/fields.ts';
import { addStylesheet } from '../../core/pages/assets.ts';
import type { PageContext } from '../../core/pages/page.ts';
import type { Translator } from '../../core/texts/translator.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { findProject } from '../../projects/pages/project/find-project.ts';
import type { Project } from '../../projects/project.ts';
import { canChange } from '../../projects/writing/changeable.ts';
import collectionsCss from './collections.css' with { type: 'text' };
import { collectionLimits, requireCollection } from './items.ts';

/** For the pages that choose and arrange the projects of a collection. */
export const collectionStylesheet = addStylesheet(collectionsCss);

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
  if (!canChange(viewer, collection)) throw new Forbidden();
  return collection;
}
