import type { ChainLink, KvPatch } from '@signet/sdk';
import { useId, useState } from 'preact/hooks';
import { dateTime } from '../i18n/format.js';
import { t } from '../i18n/i18n.js';
import { Failure } from '../parts/failure.js';
import { platformName } from '../parts/names.js';
import { client } from '../shell/api.js';
import { useAnswer } from '../shell/use-answer.js';

/** The last link and patch of the owner: absent where all are, null where none is. */
export interface Since {
  sinceLink?: string | null;
  sincePatch?: string | null;
}

/** Pages of the newest statements that are offered: a theft is noticed before hundreds of them are made. */
const PAGES = 3;

/** Whether somebody else has used the key, and from when on: what they made counts for nothing. */
export function LastGood({ avatar, onSince }: { avatar: string; onSince: (since: Since) => void }) {
  const id = useId();
  const [isStolen, setStolen] = useState(false);
  const choose = (stolen: boolean) => {
    setStolen(stolen);
    onSince({});
  };
  return (
    <fieldset class="last-good">
      <legend>{t('recovery.used_by_others')}</legend>
      <label class="check" for={`${id}-no`}>
        <input id={`${id}-no`} type="radio" name={id} checked={!isStolen} onChange={() => choose(false)} />
        <span>{t('recovery.used_no')}</span>
      </label>
      <label class="check" for={`${id}-yes`}>
        <input id={`${id}-yes`} type="radio" name={id} checked={isStolen} onChange={() => choose(true)} />
        <span>{t('recovery.used_yes')}</span>
      </label>
      {isStolen && <Choices avatar={avatar} onSince={onSince} />}
    </fieldset>
  );
}

function Choices({ avatar, onSince }: { avatar: string; onSince: (since: Since) => void }) {
  const [since, setSince] = useState<Since>({});
  const answer = useAnswer(
    async (signal) => ({
      links: await newest(client.chain(avatar, { signal })),
      patches: await newest(client.kv.chain(avatar, { signal })),
    }),
    [avatar],
  );
  if (answer.state === 'waiting') return <p class="waiting">{t('shell.loading')}</p>;
  if (answer.state === 'failed') return <Failure error={answer.error} again={answer.again} />;
  const change = (changed: Since) => {
    const next = { ...since, ...changed };
    setSince(next);
    onSince(next);
  };
  const { links, patches } = answer.value;
  return (
    <>
      <p class="quiet small">{t('recovery.last_text')}</p>
      {links.length > 0 && (
        <Select
          label={t('recovery.last_statement')}
          items={links.map(ofLink)}
          onChange={(sinceLink) => change({ sinceLink })}
        />
      )}
      {patches.length > 0 && (
        <Select
          label={t('recovery.last_change')}
          items={patches.map(ofPatch)}
          onChange={(sincePatch) => change({ sincePatch })}
        />
      )}
    </>
  );
}

interface Item {
  uuid: string;
  text: string;
}

/** The newest items of a chain, newest first. */
async function newest<One>(list: {
  page(number: number): Promise<{ items: One[]; total: number; next: number }>;
}): Promise<One[]> {
  const first = await list.page(1);
  const perPage = first.items.length;
  if (first.next === 0) return first.items.reverse();
  const last = Math.ceil(first.total / perPage);
  const items: One[] = [];
  for (let number = Math.max(1, last - PAGES + 1); number <= last; number++) {
    items.push(...(await list.page(number)).items);
  }
  return items.reverse();
}

function ofLink({ uuid, action, platform, identity, created_at }: ChainLink): Item {
  const deed = t(action === 'delete' ? 'look.revoked' : 'look.bound');
  return { uuid, text: `${dateTime(created_at)} · ${deed} · ${platformName(platform)} ${identity}` };
}

function ofPatch({ uuid, platform, identity, created_at }: KvPatch): Item {
  return { uuid, text: `${dateTime(created_at)} · ${platformName(platform)} ${identity}` };
}

function Select({ label, items, onChange }: { label: string; items: Item[]; onChange: (uuid: string | null) => void }) {
  const id = useId();
  return (
    <div class="fields">
      <label for={id}>{label}</label>
      <select id={id} onChange={({ currentTarget: { value } }) => onChange(value === '' ? null : value)}>
        {items.map(({ uuid, text }) => (
          <option key={uuid} value={uuid}>
            {text}
          </option>
        ))}
        <option value="">{t('recovery.last_none')}</option>
      </select>
    </div>
  );
}
