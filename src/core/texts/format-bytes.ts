import type { Translator } from './translator.ts';

/** The size of a file, for people. */
export function formatBytes({ t, formatNumber }: Translator, bytes: number): string {
  if (bytes < 1000) return t('media.bytes', { count: bytes });
  const kilobytes = bytes / 1000;
  if (kilobytes < 1000) return `${formatNumber(Math.round(kilobytes))} kB`;
  return `${formatNumber(Math.round(kilobytes / 100) / 10)} MB`;
}
