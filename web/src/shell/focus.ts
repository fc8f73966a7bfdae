/** As the `ref` of what appears: people who do not look at the page are told where things went on. */
export function focusOnAppearance(element: HTMLElement | null): void {
  element?.focus();
}
