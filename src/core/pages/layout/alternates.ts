import type { Alternate } from './layout-data.ts';

export const jsonAlternate = (href: string): Alternate => ({
  type: 'application/json',
  href,
  title: 'JSON',
  text: 'footer.json',
});
