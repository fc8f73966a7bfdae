import { useState } from 'preact/hooks';
import { lazy } from '../shell/lazy.js';
import type { CodePanelProps } from './code-panel.js';

const CodePanel = lazy(async () => ({ default: (await import('./code-panel.js')).CodePanel }));

interface Props extends CodePanelProps {
  label: string;
  /** Called when the code is shown: the person may go on elsewhere. */
  onShown?: () => void;
}

/** A code for the camera of another device, drawn when somebody wants to see it. */
export function ShowCode({ label, onShown, ...panel }: Props) {
  const [isOpen, setOpen] = useState(false);
  const toggle = (isNowOpen: boolean) => {
    setOpen(isNowOpen);
    if (isNowOpen) onShown?.();
  };
  return (
    <details class="foldable show-code" onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && <CodePanel {...panel} />}
    </details>
  );
}
