import type { Instant } from '../instant.ts';
import { DateText } from './layout/components.tsx';
import { useLanguage } from './layout/layout-data.ts';

/** When a key, a passkey or a linked account was last used. */
export function LastUsed({ instant }: { instant: Instant | null }) {
  const { t, rich } = useLanguage();
  if (instant === null) return <>{t('account.neverUsed')}</>;
  return <>{rich('account.lastUsed', { date: <DateText instant={instant} /> })}</>;
}
