/**
 * Words that the service, its platforms and the checks say, by the start of the keys of their texts. A server may be
 * newer than this page and say others, so a key is looked for at run time (`keyFor`).
 */
import type { ClientCode, ServerCode } from '@signet/sdk';
import type { StepName } from '@signet/verify';
import type { CheckState } from '../parts/signs.js';

type EventName =
  | `key.${'committed' | 'pending' | 'frozen' | 'thawed' | 'succeeded' | 'vetoed' | 'added' | 'revoked'}`
  | `proof.${'bound' | 'revoked' | 'invalidated' | 'restored'}`
  | 'kv.patched'
  | 'link.archived';
type Underscored<Name extends string> = Name extends `${infer Thing}.${infer Deed}` ? `${Thing}_${Deed}` : never;

export interface SaidWords {
  'shell.advice_': ServerCode | ClientCode;
  'recovery.advice_': ServerCode;
  'look.event_': Underscored<EventName>;
  'steps.': StepName | `${StepName}_${CheckState}`;
  /** Names of platforms, which each version may have more of; a test knows them. */
  'bind.how_': string;
  'bind.hint_': string;
  'bind.name_of_': string;
}
