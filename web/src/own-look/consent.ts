/** The question of the frame: one sentence on what is revealed to whom, and two buttons. */
import type { LookQuestion } from '@signet/look/browser';
import { filled, type OwnLookTexts } from './texts.js';

/** Colours and sizes are those of tokens.css, which the policy of the frame does not let it load. */
const CSS = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
  color: light-dark(#1d1c1a, #e9e7e2); }
body { margin: 0; overflow-wrap: anywhere; }
p { margin: 0 0 .75rem; }
div { display: flex; flex-wrap: wrap; gap: .5rem; }
button { min-height: 2.5rem; padding: 0 1rem; border: 1px solid light-dark(#8b867b, #7d838d); border-radius: .375rem; background: light-dark(#fff, #1b1e23);
  color: inherit; font: inherit; font-weight: 550; cursor: pointer; }
button.primary { border-color: light-dark(#1f4b8f, #9cbcf2); background: light-dark(#1f4b8f, #9cbcf2); color: light-dark(#fff, #10151d); }
button:focus-visible { outline: 2px solid light-dark(#1f4b8f, #9cbcf2); outline-offset: -4px; }
`;

interface Consent {
  question: LookQuestion;
  texts: OwnLookTexts;
  language: string;
  /** Without the sentence, for hosts of which the visitor has read it before. */
  isShort: boolean;
  /** Called with the height of what is shown, CSS pixels, whenever it changes. */
  onHeight: (height: number) => void;
}

/** Shows the question. Resolves to whether the visitor agreed; a press that a script makes does not count. */
export function showConsent({ question, texts, language, isShort, onHeight }: Consent): Promise<boolean> {
  const values = { hosts: question.hosts.join(', '), identity: question.identity };
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  document.adoptedStyleSheets = [sheet];
  document.documentElement.lang = language;
  const root = document.createElement('main');
  if (!isShort) root.append(element('p', filled(texts[`ask_${question.reveals}`], values)));
  const go = element('button', filled(texts.go, values));
  go.className = 'primary';
  const leave = element('button', texts.not_now);
  const buttons = document.createElement('div');
  buttons.append(go, leave);
  root.append(buttons);
  document.body.replaceChildren(root);
  const observer = new ResizeObserver(() => onHeight(Math.ceil(root.getBoundingClientRect().height)));
  observer.observe(root);
  return new Promise((resolve) => {
    const answer = (hasAgreed: boolean) => (event: Event) => {
      if (!event.isTrusted) return;
      observer.disconnect();
      document.body.replaceChildren();
      resolve(hasAgreed);
    };
    go.addEventListener('click', answer(true));
    leave.addEventListener('click', answer(false));
  });
}

function element<Name extends 'p' | 'button'>(name: Name, text: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
