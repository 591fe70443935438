// The files of a project on pages: pictures, videos and sounds are shown, other files are download links.

import { describeMediaType, type Media, mediaPath } from '../gallery/media/media.ts';

// The `sizes` attributes of pictures: as wide as the text of a page, and as wide as a card.
const pageSizes = '(min-width: 48rem) 44rem, 92vw';
const cardSizes = '(min-width: 48rem) 20rem, 92vw';

/** The first picture is loaded at once, the others when they are scrolled near. */
export function ProjectMedia({ media }: { media: readonly Media[] }) {
  const inlineMedia = media.filter(({ type }) => describeMediaType(type).display);
  const downloads = media.filter(({ type }) => !describeMediaType(type).display);
  return (
    <>
      {inlineMedia.map((file, index) => (
        <figure class="media">
          <InlineMedia file={file} eager={index === 0} />
        </figure>
      ))}
      {downloads.length > 0 && (
        <ul class="files" aria-label="Files">
          {downloads.map((file) => (
            <li>
              <a href={getMediaHref(file)} download={file.name}>
                <bdi>{file.name}</bdi>
              </a>{' '}
              <small>
                {describeMediaType(file.type).label}, {formatBytes(file.sizes.at(-1)?.bytes ?? 0)}
              </small>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function InlineMedia({ file, eager }: { file: Media; eager: boolean }) {
  const { display } = describeMediaType(file.type);
  if (display === 'picture') return <Picture media={file} sizes={pageSizes} eager={eager} />;
  const Player = display === 'audio' ? 'audio' : 'video';
  return <Player controls preload="metadata" src={getMediaHref(file)} aria-label={file.alt || file.name} />;
}

/** The picture of a card, in a box of fixed shape, so that the layout does not shift when it loads. */
export function Cover({ media, eager = false }: { media: Media | undefined; eager?: boolean }) {
  if (!media) return null;
  const small = media.sizes.filter(({ width }, index) => index === 0 || (width ?? 0) <= 640);
  return (
    <div class="cover">
      <Picture media={{ ...media, sizes: small }} sizes={cardSizes} eager={eager} />
    </div>
  );
}

function Picture({ media, sizes, eager }: { media: Media; sizes: string; eager: boolean }) {
  const largest = media.sizes.at(-1);
  if (!largest) return null;
  const fallback = media.sizes.find(({ width }) => (width ?? 0) >= 640) ?? largest;
  const srcset = media.sizes.map((size) => `${mediaPath(media.type, size)} ${size.width}w`).join(', ');
  return (
    <img
      src={mediaPath(media.type, fallback)}
      srcset={media.sizes.length > 1 ? srcset : undefined}
      sizes={media.sizes.length > 1 ? sizes : undefined}
      width={largest.width ?? undefined}
      height={largest.height ?? undefined}
      alt={media.alt}
      loading={eager ? undefined : 'lazy'}
      decoding="async"
    />
  );
}

function getMediaHref({ type, sizes }: Media): string | undefined {
  const largest = sizes.at(-1);
  return largest && mediaPath(type, largest);
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const kilobytes = bytes / 1000;
  return kilobytes < 1000 ? `${Math.round(kilobytes)} kB` : `${(kilobytes / 1000).toFixed(1)} MB`;
}
