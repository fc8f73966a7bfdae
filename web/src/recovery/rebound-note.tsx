import type { IdentityGroup } from '@signet/sdk';
import { rich } from '../i18n/i18n.js';
import { ServerSays } from '../parts/signs.js';
import { useAnswer } from '../shell/use-answer.js';
import { readRebound } from './rebound.js';
import { KeyLink } from './words.js';

/** Keys that are named; who has connected an account with more of them is on the page of the account. */
const NAMED = 3;

/** How many accounts of a key another one holds now: the word of the server, which gives that key no power. */
export default function ReboundNote({
  avatar,
  group,
  version,
}: {
  avatar: string;
  group: IdentityGroup;
  version: number;
}) {
  const answer = useAnswer((signal) => readRebound(avatar, group.proofs, signal), [avatar], version);
  if (answer.state !== 'there' || answer.value.moved.length === 0) return null;
  const { moved, of } = answer.value;
  const keys = [...new Set(moved.map((one) => one.avatar))].slice(0, NAMED);
  return (
    <ServerSays>
      {rich(moved.length === of ? 'recovery.rebound_all' : 'recovery.rebound', {
        count: moved.length,
        of,
        keys: keys.map((key, place) => (
          <span key={key}>
            {place > 0 && ', '}
            <KeyLink avatar={key} />
          </span>
        )),
      })}
    </ServerSays>
  );
}
