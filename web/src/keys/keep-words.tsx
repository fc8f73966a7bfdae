import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { download } from '../parts/download.js';
import '../bind/late-style.js';

interface Props {
  words: readonly string[];
  /** The key of the words, where it is known by now. */
  avatar?: string;
}

/**
 * Ways to keep the words of a key besides writing them down: a sheet that is printed, and a file. The document has the
 * words no longer than either takes.
 */
export function KeepWords({ words, avatar }: Props) {
  const [isPrinted, setPrinted] = useState(false);
  useEffect(() => {
    if (!isPrinted) return;
    const end = () => setPrinted(false);
    addEventListener('afterprint', end);
    print();
    return () => removeEventListener('afterprint', end);
  }, [isPrinted]);
  const lines = words.map((word, index) => `${index + 1}. ${word}`);
  const heading = t('bind.words_sheet', { host: location.host });
  const save = () => {
    const text = [heading, ...(avatar === undefined ? [] : [avatar]), '', ...lines, '', t('bind.words_sheet_text'), ''];
    download(new Blob([text.join('\n')], { type: 'text/plain' }), 'signet-words.txt');
  };
  return (
    <>
      <p class="row">
        <button type="button" onClick={() => setPrinted(true)}>
          {t('bind.print_words')}
        </button>
        <button type="button" onClick={save}>
          {t('bind.save_words')}
        </button>
      </p>
      <p class="quiet small">{t('bind.save_words_text')}</p>
      {isPrinted && (
        <article class="kept-words printed" aria-hidden="true">
          <p>
            <strong>{heading}</strong>
          </p>
          {avatar !== undefined && <p>{avatar}</p>}
          <ol translate={false} lang="en">
            {words.map((word, index) => (
              <li key={index}>{word}</li>
            ))}
          </ol>
          <p>{t('bind.words_sheet_text')}</p>
        </article>
      )}
    </>
  );
}
