// The preview of a page on other sites: Open Graph, with which messengers and social networks make previews.

import { removeBidiControls } from '../../core/pages/layout/layout.tsx';
import { useLayout } from '../../core/pages/layout/layout-data.ts';

interface OpenGraphProps {
  readonly type: 'article' | 'profile' | 'website';
  readonly title: string;
  /** An absolute URL. */
  readonly url: string;
  /** Without it, other sites take that of the page. */
  readonly description?: string;
  readonly image: {
    readonly url: string;
    readonly width: number | null;
    readonly height: number | null;
    readonly alt: string;
  };
}

export const previewSize = { width: 1200, height: 630 };

export function OpenGraph({ type, title, url, description, image }: OpenGraphProps) {
  const { site } = useLayout();
  return (
    <>
      <meta property="og:site_name" content={site.name} />
      <meta property="og:type" content={type} />
      <meta property="og:title" content={removeBidiControls(title)} />
      <meta property="og:url" content={url} />
      {description && <meta property="og:description" content={removeBidiControls(description)} />}
      <meta property="og:image" content={image.url} />
      <meta property="og:image:width" content={String(image.width)} />
      <meta property="og:image:height" content={String(image.height)} />
      {image.alt && <meta property="og:image:alt" content={removeBidiControls(image.alt)} />}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
