import { Pager as Links, type PagerProps } from '../../rest/renderers/table.tsx';
import { useLanguage } from './layout-data.ts';

interface PagerTextsProps extends PagerProps {
  /** The number of items on this page, for the script that loads more pages below the first one. */
  readonly loadedCount?: number;
}

/** The links to the pages of a list, in the language of the page. */
export function Pager({ loadedCount, ...props }: PagerTextsProps) {
  const { t, formatNumber } = useLanguage();
  const texts = {
    pages: t('pager.pages'),
    previous: t('pager.previous'),
    next: t('pager.next'),
    page: (number: number) => t('pager.page', { number }),
    formatNumber,
  };
  const attributes =
    loadedCount === undefined
      ? undefined
      : { 'data-load-more': t('list.loadMore'), 'data-loaded': t('list.loaded', { count: loadedCount }) };
  return <Links {...props} texts={texts} attributes={attributes} />;
}
