import { type KvPatch, type KvContent } from '@signet/sdk';
import { canonicalJson, replayPatches, type SignedPatch } from '@signet/verify';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { Identity, platformName } from '../parts/names.js';
import { CheckedHere, ServerSays, type CheckState } from '../parts/signs.js';
import { client } from '../shell/api.js';
import { useAnswer } from '../shell/use-answer.js';
import { PatchChain } from './chain-list.js';
import type { CheckedList } from './use-chain.js';

type Entry = Pick<KvContent['proofs'][number], 'platform' | 'identity' | 'content'>;

interface ContentProps {
  avatar: string;
  patches: CheckedList<KvPatch>;
  version: number;
}

/** What a key has written, what its signed patches add up to, and the patches themselves. */
export function ContentSection({ avatar, patches, version }: ContentProps) {
  const hasPatches = patches.items.length > 0;
  // Without patches there is no content to ask for.
  const content = useAnswer(
    async (signal) => (hasPatches ? client.kv.get(avatar, { signal }) : null),
    [avatar, hasPatches],
    version,
  );
  const entries = content.state === 'there' ? (content.value?.proofs ?? []) : [];
  const state = content.state === 'there' ? stateOf(patches, entries) : 'waiting';
  return (
    <section class="content">
      <h2>{t('look.content')}</h2>
      {patches.error !== undefined && <Failure error={patches.error} />}
      {content.state === 'failed' && <Failure error={content.error} again={content.again} />}
      {patches.isComplete && !hasPatches && <p class="quiet">{t('look.no_content')}</p>}
      <p>
        <a href={`/kv/${avatar}`}>{t('kv.change_button')}</a>
      </p>
      {hasPatches && (
        <>
          <CheckedHere state={state}>{t(`look.content_${state}`, { count: patches.items.length })}</CheckedHere>
          <ul class="entries">
            {entries.map(({ platform, identity, content: value, is_bound }) => (
              <li key={`${platform} ${identity}`}>
                <h3>
                  <span class="platform">{platformName(platform)}</span> <Identity name={identity} />
                </h3>
                <ServerSays>{t(is_bound ? 'look.entry_bound' : 'look.entry_not_bound')}</ServerSays>
                <pre dir="auto" tabIndex={0} aria-label={t('look.content')}>
                  {JSON.stringify(value, null, 2)}
                </pre>
              </li>
            ))}
          </ul>
          <details class="patches">
            <summary>{t('look.patches', { count: patches.items.length })}</summary>
            <PatchChain patches={patches.items} />
          </details>
        </>
      )}
    </section>
  );
}

/** Whether verified patches add up to what the server shows. */
function stateOf({ items, isComplete, error }: CheckedList<KvPatch>, entries: Entry[]): CheckState {
  if (items.some(({ ok }) => !ok)) return 'failed';
  if (error !== undefined) return 'not_checkable';
  if (!isComplete) return 'waiting';
  const replayed = replayPatches(items.map(({ item }) => item as SignedPatch));
  return textOf(replayed as Entry[]) === textOf(entries) ? 'ok' : 'failed';
}

function textOf(entries: Entry[]): string {
  return canonicalJson(
    entries.map(({ platform, identity, content }) => [platform, identity, canonicalJson(content)]).sort(),
  );
}
