/** The forms of what servers answer: what has another form is refused before anything is made of it. */

const STATE = ['created_at', 'last_checked_at', 'invalid_reason'];
const NAME = ['platform', 'identity'];

/** Whether a value is an object, neither null nor a list, with texts under these names. */
export function isObject(value: unknown, texts: readonly string[] = []): boolean {
  const isOne = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isOne && texts.every((name) => typeof value[name as never] === 'string');
}

/** Whether this member of a value is a list of objects. */
export function hasObjects(value: unknown, member: string, isItem = (item: unknown) => isObject(item)): boolean {
  const list: unknown = value?.[member as never];
  return Array.isArray(list) && list.every((item) => isItem(item));
}

/** Whether a value is the state of one binding. */
export function isState(value: unknown): boolean {
  return isObject(value, STATE) && typeof value!['is_valid' as never] === 'boolean';
}

/** Whether a value is one Avatar with its bindings. */
export function isGroup(value: unknown): boolean {
  return isObject(value, ['avatar']) && hasObjects(value, 'proofs', (one) => isObject(one, NAME) && isState(one));
}

/** Whether a value is the content of an Avatar. */
export function isContent(value: unknown): boolean {
  const isEntry = (one: unknown) => isObject(one, NAME) && typeof one!['content' as never] === 'object';
  return hasObjects(value, 'proofs', isEntry);
}
