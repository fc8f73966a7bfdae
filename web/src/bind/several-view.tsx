/** `/bind/several`: several accounts in one go. What is ticked becomes a list that is worked off one by one. */
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { useTitle } from '../shell/frame.js';
import Done from './done.js';
import './late-style.js';
import { keepSeveral, keptSeveral, watchSeveral } from './kept-several.js';
import { type Change, type Several, severalOf } from './several.js';
import { SeveralChoice } from './several-choice.js';
import { SeveralList } from './several-list.js';

export default function SeveralView() {
  useTitle(t('bind.several'));
  const [several, setSeveral] = useState<Several | null>(keptSeveral);
  useEffect(() => watchSeveral(setSeveral), []);
  const change: Change = (what) =>
    setSeveral((now) => {
      // Another window may have changed it just now.
      const next = what(keptSeveral() ?? now!);
      // Of a list that is worked off nothing is left to keep.
      keepSeveral(next?.items.every(({ state }) => state === 'done') ? null : next);
      return next;
    });
  return (
    <>
      <h1>{t('bind.several')}</h1>
      {several ? (
        <Worked several={several} onChange={change} />
      ) : (
        <SeveralChoice onChosen={(wanted) => change(() => severalOf(wanted))} />
      )}
    </>
  );
}

interface Props {
  several: Several;
  onChange: Change;
}

function Worked({ several, onChange }: Props) {
  const { items, avatar, at } = several;
  const bound = items.filter(({ state }) => state === 'done');
  const left = items.length - bound.length;
  return (
    <>
      <p class="lead">{t('bind.several_count', { count: bound.length, total: items.length })}</p>
      {at === null && left > 0 && <p class="caution">{t('bind.several_left', { count: left })}</p>}
      <SeveralList several={several} onChange={onChange} />
      {at === null && avatar !== null && bound.length > 0 ? (
        <Done
          bound={bound.map(({ platform, identity }) => ({ avatar, platform, identity }))}
          onAnother={() => onChange(() => null)}
        />
      ) : (
        <p>
          <button type="button" class="plain" onClick={() => onChange(() => null)}>
            {t('bind.several_drop')}
          </button>
        </p>
      )}
    </>
  );
}
