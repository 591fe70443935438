// Checks that a project is complete before a form publishes it. Drafts may lack it, and the API asks for a title only.

import { Invalid } from '../../errors.ts';
import type { ContentType } from '../../gallery/projects/project.ts';

interface Content {
  readonly text?: string;
  readonly link?: string | null;
  readonly hasFile: boolean;
}

export function requireContent(type: ContentType, { text = '', link, hasFile }: Content): void {
  if (type === 'link' && !link) throw new Invalid({ link: ['Enter the address, or save a draft.'] });
  if (type === 'quote' && text.trim() === '')
    throw new Invalid({ text: ['Enter the quote, or save a draft.'] });
  if (type === 'video' && !link && !hasFile)
    throw new Invalid({ link: ['A video needs a file or an address. Add one, or save a draft.'] });
  if ((type === 'photo' || type === 'document') && !hasFile)
    throw new Invalid({ file: [`A ${type} needs a file. Add it, or save a draft.`] });
}
