import { rich, t } from '../i18n/i18n.js';
import { WordList } from '../keys/new-words.js';
import { Seal } from '../parts/seal.js';
import './style.js';

/** The sheet that is printed: what the words are, whose, and what to do with them, for somebody who knows nothing. */
export function Paper({ avatar, words }: { avatar: string; words: string[] }) {
  const address = <strong class="paper-address">{`${location.host}/lost`}</strong>;
  return (
    <article class="paper">
      <header>
        <Seal avatar={avatar} size={64} />
        <div>
          <h3>{t('recovery.paper_title')}</h3>
          <p class="small">{t('recovery.paper_of')}</p>
          <p>
            <code class="paper-key">{avatar}</code>
          </p>
        </div>
      </header>
      <WordList words={words} />
      <h4>{t('recovery.paper_what')}</h4>
      <ol class="paper-steps">
        <li>{rich('recovery.paper_open', { address })}</li>
        <li>{t('recovery.paper_type')}</li>
        <li>{t('recovery.paper_choose')}</li>
      </ol>
      <p>{t('recovery.paper_keep')}</p>
    </article>
  );
}
