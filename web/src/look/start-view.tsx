import { useEffect } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { useTitle } from '../shell/frame.js';
import { usePlatforms } from '../shell/platforms.js';
import { navigate, type Place, avatarPath } from '../shell/router.js';
import { guess } from './guess.js';
import { SearchField } from './search-field.js';
import { SearchResults } from './search-results.js';
import { UuidResult } from './uuid-result.js';

/** `/`: the search field, and what it found where `?q=` says what to look for. */
export default function StartView({ query }: Place) {
  const text = query.get('q')?.trim() ?? '';
  useTitle(text);
  const platforms = usePlatforms();
  const guessed = text === '' || platforms === null ? null : guess(text, platforms);
  const avatar = guessed?.kind === 'key' ? guessed.avatar : null;
  useEffect(() => {
    if (avatar !== null) navigate(avatarPath(avatar), { replace: true });
  }, [avatar]);
  return (
    <>
      <h1>{t(text === '' ? 'look.start_title' : 'look.results_title')}</h1>
      {text === '' && <p class="lead">{t('look.start_text')}</p>}
      <SearchField key={text} text={text} />
      {guessed?.kind === 'name' && <SearchResults key={text} guess={guessed} />}
      {guessed?.kind === 'uuid' && <UuidResult key={text} uuid={guessed.uuid} />}
      {text === '' && <Introduction />}
    </>
  );
}

/** How it works, in three sentences, and the way to check a file. */
function Introduction() {
  return (
    <>
      <ol class="introduction">
        {(['sign', 'publish', 'check'] as const).map((step) => (
          <li key={step}>
            <h2>{t(`look.how_${step}`)}</h2>
            <p>{t(`look.how_${step}_text`)}</p>
          </li>
        ))}
      </ol>
      <p>
        <a href="/verify">{t('look.verify_link')}</a>
      </p>
    </>
  );
}
