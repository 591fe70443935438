// The files of a project on pages: pictures, videos and sounds are shown, other files are download links.

import { describeMediaType, mediaPath, type Size } from '../../../core/files/stored-files.ts';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import { formatBytes } from '../../../core/texts/format-bytes.ts';
import type { Media } from '../../media/media.ts';
import { focusStylesheet } from '../project-assets.ts';

// The `sizes` attributes of pictures: as wide as the text of a page, as wide as a card, and as wide as a large card.
const pageSizes = '(min-width: 62rem) 70rem, 92vw';
const cardSizes = '(min-width: 48rem) 20rem, 92vw';
const largeCardSizes = '(min-width: 60rem) 32vw, 92vw';

/** The first picture is loaded at once, the others when they are scrolled near. */
export function ProjectMedia({ media }: { media: readonly Media[] }) {
  const language = useLanguage();
  const { pictures, players, captions, downloads } = groupMedia(media);
  return (
    <>
      {pictures.length > 0 && (
        <div class="media pictures">
          {pictures.map((file, index) => (
            <PictureFigure media={file} isFirst={index === 0} />
          ))}
        </div>
      )}
      {players.map((file) => (
        <figure class="media">
          <Player file={file} captions={captions.get(file) ?? []} />
        </figure>
      ))}
      {downloads.length > 0 && (
        <ul class="files" aria-label={language.t('media.files')}>
          {downloads.map((file) => (
            <li>
              <a href={getMediaHref(file)} download={file.name}>
                <bdi>{file.name}</bdi>
              </a>{' '}
              <small>
                {language.translate(describeMediaType(file.type).label)},{' '}
                {formatBytes(language, file.sizes.at(-1)?.bytes ?? 0)}
              </small>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The first is as large as the page allows. The others stand in rows, as wide as their `data-ratio`: see media.css. */
function PictureFigure({ media, isFirst }: { media: Media; isFirst: boolean }) {
  const { width, height } = media.sizes.at(-1) ?? {};
  const ratio = width && height ? width / height : 1;
  const rowSizes = `(min-width: 48rem) ${Math.min(70, Math.ceil(24 * ratio))}rem, 92vw`;
  return (
    <figure data-ratio={ratio.toFixed(3)}>
      <PictureLink media={media} sizes={isFirst ? pageSizes : rowSizes} eager={isFirst} />
      {/* Screen readers read it with the picture. */}
      {media.alt && (
        <figcaption aria-hidden="true">
          <bdi>{media.alt}</bdi>
        </figcaption>
      )}
    </figure>
  );
}

/** A picture that is a link to its full size. A script opens it in the viewer. */
export function PictureLink(props: PictureProps) {
  const { media } = props;
  return (
    <a href={getMediaHref(media)} aria-label={media.alt ? undefined : media.name}>
      <Picture {...props} />
    </a>
  );
}

function groupMedia(media: readonly Media[]) {
  const groups = Object.groupBy(media, ({ type }) => describeMediaType(type).display ?? 'download');
  const { picture: pictures = [], audio = [], video = [], captions: texts = [], download = [] } = groups;
  const players = [...video, ...audio];
  const captions = new Map(
    players.map((player) => [player, texts.filter((text) => isCaptionsOf(text, player, players))]),
  );
  const shown = new Set([...captions.values()].flat());
  return {
    pictures,
    players,
    captions,
    downloads: [...download, ...texts.filter((text) => !shown.has(text))],
  };
}

/** Captions name what they belong to, unless there is one only: `kite.de.vtt` has the words of `kite.mp4` in German. */
function isCaptionsOf({ name }: Media, player: Media, players: readonly Media[]): boolean {
  const base = player.name.replace(/\.\w+$/, '').toLowerCase();
  return players.length === 1 || name.toLowerCase().startsWith(`${base}.`);
}

const languageOf = ({ name }: Media): string | undefined =>
  /\.([a-z]{2,3}(-[a-z]{2})?)\.vtt$/i.exec(name)?.[1];

export const findPictures = (media: readonly Media[]) => groupMedia(media).pictures;

export const hasPictures = (media: readonly Media[]) => findPictures(media).length > 0;

const nameLanguage = (locale: string, code: string) =>
  new Intl.DisplayNames([locale], { type: 'language' }).of(code) ?? code;

/** Browsers show captions above a sound only in the element of videos. */
function Player({ file, captions }: { file: Media; captions: readonly Media[] }) {
  const { t, locale } = useLanguage();
  const isSound = describeMediaType(file.type).display === 'audio';
  const Element = isSound && captions.length === 0 ? 'audio' : 'video';
  return (
    <Element
      controls
      preload="metadata"
      src={getMediaHref(file)}
      aria-label={file.alt || file.name}
      class={isSound && captions.length > 0 ? 'sound' : undefined}
    >
      {captions.map((text) => {
        const language = languageOf(text);
        return (
          <track
            kind="captions"
            src={getMediaHref(text)}
            srclang={language}
            label={language ? nameLanguage(locale, language) : t('media.captions')}
          />
        );
      })}
    </Element>
  );
}

const classOfCover = ({ focus }: Media): string =>
  focus === 'center' ? 'cover' : ['cover', ...focus.split('-').map((side) => `at-${side}`)].join(' ');

/** The picture of a card, in a box of fixed shape, so that the layout does not shift when it loads. */
export function Cover({ media, eager = false, isLarge = false }: CoverProps) {
  if (!media) return null;
  const small = media.sizes.filter(({ width }, index) => index === 0 || (width ?? 0) <= 640);
  return (
    <div class={classOfCover(media)}>
      {media.focus !== 'center' && <link rel="stylesheet" href={focusStylesheet} />}
      {isLarge ? (
        <Picture media={media} sizes={largeCardSizes} eager={eager} />
      ) : (
        <Picture media={{ ...media, sizes: small }} sizes={cardSizes} eager={eager} />
      )}
    </div>
  );
}

export interface CoverProps {
  readonly media: Media | undefined;
  readonly eager?: boolean;
  /** On a screen that shows few. */
  readonly isLarge?: boolean;
}

interface PictureProps {
  readonly media: Media;
  readonly sizes: string;
  readonly eager: boolean;
}

function Picture({ media, sizes, eager }: PictureProps) {
  const attributes = pictureAttributes(media, sizes);
  return (
    attributes && (
      <img {...attributes} alt={media.alt} loading={eager ? undefined : 'lazy'} decoding="async" />
    )
  );
}

export function pictureAttributes(media: Media, sizes: string, origin = '') {
  const largest = media.sizes.at(-1);
  if (!largest) return undefined;
  const fallback = media.sizes.find(({ width }) => (width ?? 0) >= 640) ?? largest;
  const address = (size: Size) => origin + mediaPath(media.type, size);
  const srcset = media.sizes.map((size) => `${address(size)} ${size.width}w`).join(', ');
  return {
    src: address(fallback),
    srcset: media.sizes.length > 1 ? srcset : undefined,
    sizes: media.sizes.length > 1 ? sizes : undefined,
    width: largest.width ?? undefined,
    height: largest.height ?? undefined,
  };
}

function getMediaHref({ type, sizes }: Media): string | undefined {
  const largest = sizes.at(-1);
  return largest && mediaPath(type, largest);
}
