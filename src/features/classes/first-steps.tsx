// The steps of a teacher who begins, shown until the first cards are made.

import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { codePath } from '../sign-in/invitation-code-page.tsx';

const steps = ['class', 'names', 'cards', 'try'] as const;

export function FirstSteps({ current }: { current: (typeof steps)[number] }) {
  const { rich } = useLanguage();
  return (
    <ol class="first-steps not-printed">
      {steps.map((step) => (
        <li aria-current={step === current ? 'step' : undefined}>
          {rich(`firstSteps.${step}`, { link: (text) => <a href={codePath}>{text}</a> })}
        </li>
      ))}
    </ol>
  );
}
