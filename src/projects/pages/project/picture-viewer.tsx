// The viewer in which a script shows the pictures of a project, one at a time. Without the script it stays closed.

import { useLanguage } from '../../../core/pages/layout/layout-data.ts';

export function PictureViewer() {
  const { t } = useLanguage();
  return (
    <dialog class="viewer" aria-label={t('viewer.pictures')}>
      <div class="viewer-buttons">
        <button type="button" class="quiet zoom" data-out={t('viewer.zoomOut')}>
          {t('viewer.zoomIn')}
        </button>
        <button type="button" class="quiet close">
          {t('viewer.close')}
        </button>
      </div>
      <figure class="stage" />
      <button type="button" class="quiet turn previous" aria-label={t('viewer.previous')}>
        <span aria-hidden="true">‹</span>
      </button>
      <button type="button" class="quiet turn next" aria-label={t('viewer.next')}>
        <span aria-hidden="true">›</span>
      </button>
      <p role="status">
        <span class="counter" data-text={t('viewer.counter', { number: '#', count: '##' })} />{' '}
        <bdi class="caption" />
      </p>
    </dialog>
  );
}
