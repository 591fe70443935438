// The files of a project on pages: pictures and videos are shown, all else is there to be taken away.

import { kindOf, type Media, mediaPath, type Size } from '../gallery/media/media.ts';

/** How wide the text of a page is, and a card in a list of cards. */
const pageSizes = '(min-width: 48rem) 44rem, 92vw';
const cardSizes = '(min-width: 48rem) 20rem, 92vw';

/** The first picture is on the screen when the page is; the others are loaded when they come near. */
export function MediaOf({ media }: { media: readonly Media[] }) {
  const shown = media.filter(({ type }) => kindOf(type).shown);
  const others = media.filter(({ type }) => !kindOf(type).shown);
  return (
    <>
      {shown.map((one, index) => (
        <figure class="media">
          {kindOf(one.type).shown === 'picture' ? (
            <Picture media={one} sizes={pageSizes} eager={index === 0} />
          ) : (
            // biome-ignore lint/a11y/useMediaCaption: people bring none with what they film.
            <video controls preload="metadata" src={addressOf(one)} aria-label={one.alt || one.name} />
          )}
        </figure>
      ))}
      {others.length > 0 && (
        <ul class="files" aria-label="Files">
          {others.map((one) => (
            <li>
              <a href={addressOf(one)} download={one.name}>
                <bdi>{one.name}</bdi>
              </a>{' '}
              <small>
                {kindOf(one.type).words}, {inWords(one.sizes.at(-1)?.bytes ?? 0)}
              </small>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** A card's picture, in a frame of one shape, so that nothing moves when it comes. */
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
  const whole = media.sizes.at(-1);
  if (!whole) return null;
  const srcset = media.sizes.map((size) => `${mediaPath(media.type, size)} ${size.width}w`).join(', ');
  return (
    <img
      src={mediaPath(media.type, usual(media.sizes))}
      srcset={media.sizes.length > 1 ? srcset : undefined}
      sizes={media.sizes.length > 1 ? sizes : undefined}
      width={whole.width ?? undefined}
      height={whole.height ?? undefined}
      alt={media.alt}
      loading={eager ? undefined : 'lazy'}
      decoding="async"
    />
  );
}

/** For browsers that do not choose. */
const usual = (sizes: readonly Size[]): Size =>
  sizes.find(({ width }) => (width ?? 0) >= 640) ?? (sizes.at(-1) as Size);

const addressOf = ({ type, sizes }: Media) => mediaPath(type, sizes.at(-1) as Size);

export function inWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const kilobytes = bytes / 1000;
  return kilobytes < 1000 ? `${Math.round(kilobytes)} kB` : `${(kilobytes / 1000).toFixed(1)} MB`;
}
