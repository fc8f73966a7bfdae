import { t } from '../i18n/i18n.js';
import { useTitle } from '../shell/frame.js';
import { usePlatforms } from '../shell/platforms.js';
import { ExampleCard } from './example-card.js';
import { SearchField } from './search-field.js';

/** Most servers can check GitHub, so a link to it is there until this one says that it cannot. */
function isUsable(name: string, platforms: ReturnType<typeof usePlatforms>): boolean {
  if (platforms === null || platforms.length === 0) return true;
  return platforms.some(({ platform, is_available: isAvailable }) => platform === name && isAvailable);
}

/** `/`: what this is good for, the two doors, an example, the search field, and how it works. */
export default function StartView() {
  useTitle('');
  const hasGithub = isUsable('github', usePlatforms());
  return (
    <>
      <div class="hero">
        <div class="hero-words">
          <h1>{t('look.start_title')}</h1>
          <p class="lead">{t('look.start_text')}</p>
          <p class="actions">
            {hasGithub && (
              <a class="button primary" href="/bind?platform=github">
                {t('look.begin_github')}
              </a>
            )}
            <a class={hasGithub ? 'button' : 'button primary'} href="/bind">
              {t(hasGithub ? 'look.begin_other' : 'look.begin')}
            </a>
          </p>
        </div>
        <ExampleCard />
      </div>
      <SearchField text="" />
      <section class="uses">
        <h2>{t('look.uses')}</h2>
        <ul>
          {(['show', 'check', 'keep'] as const).map((use) => (
            <li key={use}>
              <UseDrawing use={use} />
              <h3>{t(`look.use_${use}`)}</h3>
              <p>{t(`look.use_${use}_text`)}</p>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{t('look.how')}</h2>
        <ol class="introduction">
          {(['sign', 'publish', 'check'] as const).map((step) => (
            <li key={step}>
              <h3>{t(`look.how_${step}`)}</h3>
              <p>{t(`look.how_${step}_text`)}</p>
            </li>
          ))}
        </ol>
      </section>
      <p>
        <a href="/verify">{t('look.verify_link')}</a>
      </p>
    </>
  );
}

const DRAWINGS = {
  show: 'M12 3.500l2.500 2 3.200-.3.9 3 2.700 1.800-1.100 3 1.100 3-2.700 1.800-.9 3-3.200-.3-2.500 2-2.500-2-3.200.3-.9-3L2.700 16l1.100-3-1.100-3 2.700-1.800.9-3 3.200.3zM8.500 12l2.500 2.500 4.500-5',
  check: 'M10.500 4a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zM15.500 15.500L21 21M7.800 10.500l2 2 3.700-4',
  keep: 'M5 12a7 7 0 0 1 12.500-4.300M19 12a7 7 0 0 1-12.500 4.300M18 3.500v4.500h-4.500M6 20.500V16h4.500',
};

function UseDrawing({ use }: { use: keyof typeof DRAWINGS }) {
  return (
    <svg class="use-drawing" viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
      <path d={DRAWINGS[use]} />
    </svg>
  );
}
