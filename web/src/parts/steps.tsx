import type { Step } from '@signet/verify';
import { hasText, t } from '../i18n/i18n.js';
import { Stamp } from './signs.js';

/** The checks that this browser made, one a line: stamp, name, and the sentence of the verifier (English). */
export function StepList({ steps }: { steps: readonly Step[] }) {
  return (
    <ul class="steps">
      {steps.map((step, index) => (
        <li key={index} class={step.state}>
          <Stamp state={step.state} />
          <div>
            <strong>{stepName(step.name)}</strong> <span lang="en">{step.detail}</span>
          </div>
        </li>
      ))}
    </ul>
  );
}

function stepName(name: string): string {
  const key = `look.step_${name}`;
  return hasText(key) ? t(key) : name;
}
