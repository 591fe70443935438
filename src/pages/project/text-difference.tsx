import { useLanguage } from '../layout/layout-data.ts';
import type { Difference } from './history-changes.ts';

/** A difference between two texts, with insertions and deletions marked. */
export function TextDifference({ label, parts }: Difference) {
  const { t } = useLanguage();
  if (!parts) return <p class="faint">{t('history.tooDifferent')}</p>;
  const shown = parts.map(({ kind, text }) => {
    if (kind === 'added') return <ins>{text}</ins>;
    return kind === 'removed' ? <del>{text}</del> : text;
  });
  if (label === undefined)
    return (
      <pre class="diff" dir="auto">
        {shown}
      </pre>
    );
  return (
    <p class="diff" dir="auto">
      <b>{t(label)}:</b> {shown}
    </p>
  );
}
