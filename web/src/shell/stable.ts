import { useRef } from 'preact/hooks';

/** A box with the newest `value`, for effects that use it and that a change of it does not run again. */
export function useLatest<Value>(value: Value): { readonly current: Value } {
  const box = useRef(value);
  box.current = value;
  return box;
}

/** The list of an earlier call for as long as its items are the ones of `items`, so that effects can depend on it. */
export function useUnchanged<Item>(items: readonly Item[]): readonly Item[] {
  const kept = useRef(items);
  const isSame = kept.current.length === items.length && items.every((item, place) => item === kept.current[place]);
  if (!isSame) kept.current = items;
  return kept.current;
}
