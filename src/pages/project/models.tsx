// The models of a project: a poster, and a button by which a script shows and turns the model.

import { describeMediaType, type Media, mediaPath } from '../../gallery/media/media.ts';
import { modelReaderScript, modelViewerScript } from '../assets.ts';
import { colourOf, Poster } from '../home/posters.tsx';
import { useLanguage } from '../layout/layout-data.ts';

/** STL is a text or binary. */
const isModel = ({ type, name }: Media) =>
  type.startsWith('model/') || (type === 'text/plain' && name.toLowerCase().endsWith('.stl'));

export const hasModels = (media: readonly Media[]): boolean => media.some(isModel);

export function Models({ media }: { media: readonly Media[] }) {
  const { t } = useLanguage();
  return media.filter(isModel).map((file) => {
    const size = file.sizes.at(-1);
    return (
      size && (
        <figure
          class="model"
          data-file={mediaPath(file.type, size)}
          data-reader={modelReaderScript}
          data-viewer={modelViewerScript}
          data-label={t('media.modelLabel', { name: file.alt || file.name })}
          data-broken={t('media.modelBroken')}
        >
          <div class="model-stage">
            <Poster type="document" colour={colourOf(file.number)} isHidden>
              {describeMediaType(file.type).extension === 'glb' ? 'GLB' : 'STL'}
            </Poster>
            {/* The script shows it. */}
            <button type="button" hidden>
              {t('media.showModel')}
            </button>
          </div>
          <figcaption>
            <bdi>{file.name}</bdi>
          </figcaption>
        </figure>
      )
    );
  });
}
