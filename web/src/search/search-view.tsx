import type { Platform } from '@signet/sdk';
import { holdsPrivateKey } from '@signet/verify/internal';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { useTitle } from '../shell/frame.js';
import { problemOfName } from './impossible-name.js';
import { usePlatforms } from '../shell/platforms.js';
import { avatarPath, navigate, type Place } from '../shell/router.js';
import { type Guess, guess } from './guess.js';
import { SearchField } from './search-field.js';
import { SearchResults } from './search-results.js';
import { UuidResult } from './uuid-result.js';

/** `/?q=`: what the search field found. A key leads to its page at once. */
export default function SearchView({ query }: Place) {
  const asked = query.get('q')?.trim() ?? '';
  const isPrivate = holdsPrivateKey(asked);
  const text = isPrivate ? '' : asked;
  useTitle(text);
  const platforms = usePlatforms();
  const guessed = text === '' || platforms === null ? null : guess(text, platforms);
  const avatar = guessed?.kind === 'key' ? guessed.avatar : null;
  useEffect(() => {
    if (avatar !== null) navigate(avatarPath(avatar), { replace: true });
  }, [avatar]);
  useEffect(() => {
    if (isPrivate) history.replaceState(null, '', '/');
  }, [isPrivate]);
  const problem = isPrivate ? t('look.private_key') : guessed?.kind === 'name' ? problemOf(guessed, platforms) : null;
  return (
    <>
      <h1>{t('look.results_title')}</h1>
      <SearchField key={text} text={text} problem={problem ?? undefined} />
      {guessed?.kind === 'name' && problem === null && <SearchResults key={text} guess={guessed} />}
      {guessed?.kind === 'uuid' && <UuidResult key={text} uuid={guessed.uuid} />}
    </>
  );
}

function problemOf({ platform, identity }: Extract<Guess, { kind: 'name' }>, platforms: readonly Platform[] | null) {
  if (platform === undefined) return null;
  return problemOfName(
    { platform, identity },
    platforms?.find((one) => one.platform === platform),
  );
}
