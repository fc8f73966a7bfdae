import { LogReader } from '@signet/sdk/log';
import type { Checkpoint } from '@signet/verify/log';
import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { cutInTheMiddle } from '../parts/names.js';
import { Seal } from '../parts/seal.js';
import { CheckedHere, Stamp } from '../parts/signs.js';
import { Time } from '../parts/time.js';
import { avatarPath } from '../shell/router.js';
import { useAnswer } from '../shell/use-answer.js';
import { type CheckedEntry, readEntries } from './entries.js';
import { transport } from './log-check.js';
import { ENTRIES } from './read-log.js';

const KINDS: Record<string, `log.entry_${'' | 'erased_'}${'link' | 'kv'}` | 'log.entry_map'> = {
  link: 'log.entry_link',
  kv: 'log.entry_kv',
  erased_link: 'log.entry_erased_link',
  erased_kv: 'log.entry_erased_kv',
  map: 'log.entry_map',
};

/** The newest entries below a checkpoint, newest first, each with what its own proof showed. */
export function EntryList({ checkpoint }: { checkpoint: Checkpoint }) {
  const [count, setCount] = useState(ENTRIES);
  const { size, root } = checkpoint;
  const answer = useAnswer(
    (signal) => readEntries(checkpoint, count, new LogReader(transport, signal)),
    [root.join()],
    count,
  );
  if (size === 0) return <p class="quiet">{t('log.no_entries')}</p>;
  if (answer.state === 'waiting') return <p class="waiting">{t('log.checking')}</p>;
  if (answer.state === 'failed') return <Failure error={answer.error} again={answer.again} />;
  const entries = answer.value;
  const failures = entries.filter(({ isIncluded }) => !isIncluded).length;
  const older = size - entries.length;
  const maps = entries.filter(isMap);
  return (
    <>
      <CheckedHere state={failures > 0 ? 'failed' : 'ok'}>
        {failures > 0 ? t('log.entries_failed', { count: failures }) : t('log.entries_ok', { count: entries.length })}
      </CheckedHere>
      <Entries list={entries.filter((checked) => !isMap(checked))} />
      {maps.length > 0 && (
        <details class="foldable">
          <summary>{t('log.maps', { count: maps.length })}</summary>
          <Entries list={maps} />
        </details>
      )}
      {older > 0 && (
        <button type="button" onClick={() => setCount(count + ENTRIES)}>
          {t('look.show_more', { count: Math.min(ENTRIES, older) })}
        </button>
      )}
    </>
  );
}

/** One that leads to the state of the map says nothing of anybody. One that does not lead to the root is not folded. */
function isMap({ entry, isIncluded }: CheckedEntry): boolean {
  return entry?.kind === 'map' && isIncluded;
}

function Entries({ list }: { list: CheckedEntry[] }) {
  if (list.length === 0) return null;
  return (
    <ol class="log-entries">
      {list.map((checked) => (
        <Entry key={checked.index} checked={checked} />
      ))}
    </ol>
  );
}

function Entry({ checked: { index, entry, isIncluded } }: { checked: CheckedEntry }) {
  return (
    <li>
      <Stamp state={isIncluded ? 'ok' : 'failed'} />
      <span class="entry-number quiet small">{t('log.entry_number', { number: index })}</span>
      {entry ? (
        <>
          <span class="entry-kind">{Object.hasOwn(KINDS, entry.kind) ? t(KINDS[entry.kind]!) : entry.kind}</span>
          {'avatar' in entry && (
            <a class="entry-key" href={avatarPath(entry.avatar)}>
              <Seal avatar={entry.avatar} size={24} />
              <span class="only-read">{t('look.held_by')} </span>
              <code>{cutInTheMiddle(entry.avatar, 14)}</code>
            </a>
          )}
          <span class="entry-time quiet small">
            <Time seconds={entry.recorded_at} exact />
          </span>
        </>
      ) : (
        <span class="quiet">{t('log.entry_unknown')}</span>
      )}
    </li>
  );
}
