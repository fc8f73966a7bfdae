import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A part of a form that is loaded and shown when somebody unfolds it. */
export function Foldable({ title, children }: { title: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="foldable" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <div class="folded">{children}</div>}
    </details>
  );
}
