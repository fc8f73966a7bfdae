const PLATFORM_NAME = /^[a-z0-9][a-z0-9_.-]{0,63}$/;

/** Whether a text has the form of a platform's name, which stands as it is in statements, scopes, paths and JSON. */
export function isPlatformName(text: string): boolean {
  return PLATFORM_NAME.test(text);
}
