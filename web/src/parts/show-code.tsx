import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import type { CodePanelProps } from './code-panel.js';

interface Props extends CodePanelProps {
  label: string;
  /** Called when the code is shown: the person may go on elsewhere. */
  onShown?: () => void;
}

/** A code for the camera of another device, drawn when somebody wants to see it. */
export function ShowCode({ label, onShown, ...panel }: Props) {
  const [Panel, setPanel] = useState<FunctionComponent<CodePanelProps> | null>(null);
  const [isOpen, setOpen] = useState(false);
  const toggle = (isNowOpen: boolean) => {
    setOpen(isNowOpen);
    if (!isNowOpen) return;
    void import('./code-panel.js').then(({ CodePanel }) => setPanel(() => CodePanel));
    onShown?.();
  };
  return (
    <details class="foldable show-code" onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && Panel && <Panel {...panel} />}
    </details>
  );
}
