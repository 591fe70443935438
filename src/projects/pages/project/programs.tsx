// The text files of a project that are programs, coloured and folded.

import { raw } from '#rest/jsx/jsx-runtime.ts';
import type { FileStore } from '../../../core/files/store.ts';
import { describeMediaType, mediaPath } from '../../../core/files/stored-files.ts';
import { findLanguage } from '../../../core/markdown/code/code-languages.ts';
import { highlightCode } from '../../../core/markdown/rendering.ts';
import { colourOf } from '../../../core/pages/layout/colours.ts';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import { formatBytes } from '../../../core/texts/format-bytes.ts';
import type { Media } from '../../media/media.ts';
import { Poster } from '../list/posters.tsx';
import { modelReaderScript, modelViewerScript } from '../project-assets.ts';

// The models of a project: a poster, and a button by which a script shows and turns the model.

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

/** Of all programs of a project together. */
const maxBytes = 100_000;

export interface Program {
  readonly file: Media;
  readonly html: string;
  /** The rest is only in the file. */
  readonly isCut: boolean;
}

interface LoadedPrograms {
  readonly programs: readonly Program[];
  /** False if the file store failed: the page is shown without the rest, and must not be cached. */
  readonly areProgramsComplete: boolean;
}

export async function loadPrograms(files: FileStore, media: readonly Media[]): Promise<LoadedPrograms> {
  const programs: Program[] = [];
  let room = maxBytes;
  for (const file of media) {
    const [name, bytes] = [getLanguageName(file), file.sizes.at(-1)];
    if (file.type !== 'text/plain' || !findLanguage(name) || !bytes || room === 0) continue;
    const length = Math.min(bytes.bytes, room);
    room -= length;
    const isCut = length < bytes.bytes;
    const content = await files.read(bytes.hash, 0, length).catch(() => undefined);
    // The next file would probably take as long to fail.
    if (!content) return { programs, areProgramsComplete: false };
    const text = new TextDecoder().decode(content);
    // The cut may be inside a character.
    const html = await highlightCode({ code: isCut ? text.replace(/\ufffd+$/, '') : text, language: name });
    programs.push({ file, html, isCut });
  }
  return { programs, areProgramsComplete: true };
}

const getLanguageName = ({ name }: Media) => name.split('.').at(-1) ?? '';

export function Programs({ programs }: { programs: readonly Program[] }) {
  const language = useLanguage();
  return programs.map(({ file, html, isCut }) => (
    <details class="program">
      <summary>
        <bdi>{file.name}</bdi>
      </summary>
      <pre>
        <code>{raw(html)}</code>
      </pre>
      {isCut && (
        <p class="faint">{language.t('media.codeIsCut', { size: formatBytes(language, maxBytes) })}</p>
      )}
    </details>
  ));
}
