// The buttons above a text, and what they write.

import { type ContentType, isWork } from '../../../core/content-types.ts';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';

/** `sign`: what people write without the button. */
const textTools = [
  { tool: 'bold', sign: '**…**', key: 'b' },
  { tool: 'heading', sign: '## …' },
  { tool: 'list', sign: '- …' },
  { tool: 'link', sign: '[…](https://…)', key: 'k' },
  { tool: 'code', sign: '`…`' },
] as const;

/** Buttons of text-tools.js and text-pictures.js; hidden without scripts. */
export function TextTools({ type = 'comment' }: { type?: ContentType }) {
  const { t } = useLanguage();
  const takesPictures = isWork(type);
  return (
    <>
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
        {type === 'text' && (
          <button type="button" class="quiet" data-tool="step" data-heading={t('tools.stepHeading')}>
            {t('tools.step')}
          </button>
        )}
      </fieldset>
      <details class="format-help">
        <summary>
          <span aria-hidden="true">?</span> <span class="visually-hidden">{t('tools.help')}</span>
        </summary>
        <dl>
          {textTools.map(({ tool, sign }) => (
            <Sign name={t(`tools.${tool}`)} sign={sign} />
          ))}
          {takesPictures && <Sign name={t('tools.picture')} sign="![…](….jpg)" />}
        </dl>
      </details>
    </>
  );
}

const Sign = ({ name, sign }: { name: string; sign: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <code dir="ltr">{sign}</code>
    </dd>
  </div>
);
