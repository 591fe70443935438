// The elements and words of the script that keeps new projects on the device: a template, because most people never need them.

import { addScript, addStylesheet } from '../../core/pages/assets.ts';
import { QuietButton } from '../../core/pages/layout/form.tsx';
import { useLayout } from '../../core/pages/layout/layout-data.ts';
import { formatBytes } from '../../core/texts/format-bytes.ts';
import { keyPath } from './key.ts';
import { workerPath } from './path.ts';
import unsentCss from './unsent.css' with { type: 'text' };
import unsentJs from './unsent.js' with { type: 'text' };

export const unsentScript = addScript(unsentJs);
export const unsentStylesheet = addStylesheet(unsentCss);

/** Of one project that waits. */
const maxBytes = 25_000_000;

export function UnsentProjects() {
  const { viewer, language } = useLayout();
  const { t, code } = language;
  const words = {
    'data-waiting': t('offline.waiting', { count: '#' }),
    'data-sent': t('offline.sent', { count: '#' }),
    'data-refused': t('offline.refused', { count: '#' }),
    'data-only-pictures': t('offline.onlyPictures', { size: formatBytes(language, maxBytes) }),
    'data-full': t('offline.full'),
    'data-unsure': t('offline.unsure'),
    'data-unreadable': t('offline.unreadable'),
    'data-leave': t('offline.leave', { count: '#' }),
    'data-discard': t('offline.discardQuestion'),
  };
  return (
    <template
      id="unsent"
      data-account={viewer.contributor === null ? undefined : String(viewer.contributor)}
      data-worker={workerPath(code)}
      data-key={keyPath}
      data-stylesheet={unsentStylesheet}
      data-max-bytes={String(maxBytes)}
      {...words}
    >
      <section class="notice unsent" aria-label={t('offline.unsent')} tabindex={-1}>
        <p>
          <span role="status" /> <a href="/mine/">{t('offline.ownProjects')}</a>
        </p>
        <ul class="rows" />
      </section>
      <li class="row">
        <div>
          <b dir="auto" />
          <p />
        </div>
        <a class="button" href="/mine/">
          {t('offline.open')}
        </a>
        <button type="button" class="quiet">
          {t('offline.discard')}
        </button>
      </li>
      <dialog class="unsent-question" aria-labelledby="unsent-question">
        <form method="dialog" class="stacked-form">
          <p id="unsent-question" />
          <div class="buttons">
            <button class="danger" type="submit" value="yes">
              {t('offline.delete')}
            </button>
            <QuietButton>{t('form.cancel')}</QuietButton>
          </div>
        </form>
      </dialog>
    </template>
  );
}
