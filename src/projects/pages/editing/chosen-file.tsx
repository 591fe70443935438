// A file of a form before it is sent.

import { colourOf } from '../../../core/pages/layout/colours.ts';
import { FormFields, NamedAction } from '../../../core/pages/layout/form.tsx';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import { mediaFields } from '../../media/file-fields.ts';
import { Poster } from '../list/posters.tsx';

/** The script for uploads (upload.js) fills it in for each file that is chosen. Only files of a project have descriptions. */
export function ChosenFileTemplate({ isOfProject = false }: { isOfProject?: boolean }) {
  const { t } = useLanguage();
  return (
    <template>
      <li data-position={t('files.position')}>
        <fieldset>
          <legend>
            <bdi />
          </legend>
          <Poster type="document" colour={colourOf(0)} isHidden />
          {isOfProject && (
            <>
              <MoveButton name="#" />
              <FormFields
                prefix="chosen"
                fields={{ alt: { ...mediaFields.alt, label: t('files.description'), help: undefined } }}
              />
            </>
          )}
          <button type="button" class="quiet" data-remove>
            <NamedAction action={t('form.remove')} name="#" />
          </button>
        </fieldset>
      </li>
    </template>
  );
}

/** The script shows it. */
export function MoveButton({ name }: { name: string }) {
  return (
    <button type="button" class="quiet handle" hidden>
      <span aria-hidden="true">⠿</span> <NamedAction action={useLanguage().t('files.move')} name={name} />
    </button>
  );
}
