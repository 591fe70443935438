// The buttons above a text.

import { useLanguage } from '../../../core/pages/layout/layout-data.ts';

const textTools = [
  { tool: 'bold', key: 'b' },
  { tool: 'heading' },
  { tool: 'list' },
  { tool: 'link', key: 'k' },
  { tool: 'code' },
] as const;

/** Buttons of text-tools.js and text-pictures.js; hidden without scripts. */
export function TextTools({ takesPictures = false }: { takesPictures?: boolean }) {
  const { t } = useLanguage();
  return (
    <fieldset class="text-tools">
      <legend class="visually-hidden">{t('tools.label')}</legend>
      {textTools.map(({ tool, ...shortcut }) => {
        const key = 'key' in shortcut ? shortcut.key : undefined;
        return (
          <button
            type="button"
            class="quiet"
            data-tool={tool}
            data-key={key}
            title={key && `Ctrl+${key.toUpperCase()}`}
          >
            {t(`tools.${tool}`)}
          </button>
        );
      })}
      {takesPictures && (
        <button type="button" class="quiet" data-add-picture="">
          {t('upload.addPicture')}
        </button>
      )}
    </fieldset>
  );
}
