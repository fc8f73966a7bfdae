import type { ComponentChildren } from 'preact';

/** Something could not be shown: what, why, and what to do next. */
export function Problem({ title, text, children }: { title: string; text: string; children?: ComponentChildren }) {
  return (
    <section class="problem">
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
    </section>
  );
}
