// Notices at the top of a page, which a screen reader announces.

import type { Child } from '../../jsx/jsx-runtime.ts';

export const Notice = ({ children }: { children: Child }) => (
  <p class="notice" role="status">
    {children}
  </p>
);

/** A secret that is shown once, in the response that created it. */
export const SecretNotice = ({ label, secret }: { label: string; secret: string }) => (
  <div class="notice" role="status">
    <p>{label}</p>
    <pre class="secret">{secret}</pre>
  </div>
);
