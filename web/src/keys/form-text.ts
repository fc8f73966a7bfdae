/** The text of a field of the form that was submitted; `''` where there is none. Stops the browser's own submit. */
export function formText(event: SubmitEvent): (name: string) => string {
  event.preventDefault();
  const fields = new FormData(event.currentTarget as HTMLFormElement);
  return (name) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
}
