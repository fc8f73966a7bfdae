/** How `<signet-proof>` looks. Pages may set `--signet-text`, `-ground`, `-line` and `-accent`. */
const CSS = `
:host { display: inline-block; max-width: 100%; color-scheme: light dark; }
a, p { display: inline-flex; align-items: center; gap: .6em; box-sizing: border-box; max-width: 100%; margin: 0; padding: .5em .75em;
  border: 1px solid var(--signet-line, light-dark(#dcd8cf, #343941)); border-radius: .4em; background: var(--signet-ground, light-dark(#fff, #1b1e23));
  color: var(--signet-text, light-dark(#1d1c1a, #e9e7e2)); font: 14px/1.4 system-ui, sans-serif; text-decoration: none; overflow-wrap: anywhere; }
a:hover bdi { text-decoration: underline; }
a:focus-visible { outline: 3px solid var(--signet-accent, light-dark(#1f4b8f, #9cbcf2)); outline-offset: 2px; }
svg, canvas { flex: none; }
canvas { width: 44px; height: 44px; object-fit: cover; border-radius: 50%; }
b, .name { font-weight: 600; }
span.name { font-size: 14px; }
span, small { display: block; font-size: 12px; }
small { color: light-dark(#5b5750, #aaa79f); }
.checked, .checked_post { color: var(--signet-accent, light-dark(#1f4b8f, #9cbcf2)); }
.failed { color: light-dark(#a3211c, #f2a39c); }
.unknown { color: light-dark(#605c55, #aaa79f); }
`;

let sheet: CSSStyleSheet | undefined;

/** One sheet for all elements. Made by script, so that a page's policy for inline styles does not matter. */
export function style(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  return sheet;
}
