// A project in the pages of other sites: as a card, and as oEmbed describes it.

import type { Sections } from '../../core/pages/page.ts';
import { cardRoute } from './embed.tsx';
import { loadEmbedCode } from './embed-code.tsx';
import { listAlternates, oembedRoute } from './oembed.tsx';

export const sections: Sections = {
  'project.alternates': listAlternates,
  'project.share': loadEmbedCode,
};

export const routes = [cardRoute, oembedRoute];
