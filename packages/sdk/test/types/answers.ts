/** The types of events and answers: unions by `type`, names that editors complete, hex where it is. Never run. */
import type { ChainLink, EventType, Hex, IdentityGroup, KvContent, PlatformName, SignetEvent } from '@signet/sdk';
import { createClient } from '@signet/sdk';
import { expectTypeOf } from 'expect-type';

const client = createClient({ baseUrl: 'https://signet.example' });

expectTypeOf<EventType>().toEqualTypeOf<
  | ('proof.bound' | 'proof.revoked' | 'proof.invalidated' | 'proof.restored' | 'kv.patched' | 'link.archived')
  | ('key.committed' | 'key.pending' | 'key.frozen' | 'key.thawed' | 'key.succeeded' | 'key.vetoed')
  | ('key.added' | 'key.revoked')
>();
expectTypeOf<SignetEvent['type']>().toEqualTypeOf<EventType>();
expectTypeOf<SignetEvent['avatar']>().toEqualTypeOf<Hex>();
expectTypeOf<IdentityGroup['avatar']>().toEqualTypeOf<Hex>();
expectTypeOf<KvContent['avatar']>().toEqualTypeOf<Hex>();
expectTypeOf<ChainLink['platform']>().toEqualTypeOf<PlatformName>();
// Names of servers of later versions compile, and those of this one are listed.
expectTypeOf<'gitlab'>().toExtend<PlatformName>();
expectTypeOf<Extract<PlatformName, 'github' | 'dns'>>().toEqualTypeOf<'github' | 'dns'>();
expectTypeOf<number>().not.toExtend<PlatformName>();

/** `type` says what else an event has. */
export async function hear(): Promise<void> {
  for await (const event of client.events()) {
    expectTypeOf(event).toEqualTypeOf<SignetEvent>();
    if (event.type === 'proof.invalidated') expectTypeOf(event.reason).toEqualTypeOf<string>();
    if (event.type === 'kv.patched') expectTypeOf(event.patch_id).toEqualTypeOf<number>();
    if (event.type === 'link.archived') expectTypeOf(event.archive_id).toEqualTypeOf<string>();
    // @ts-expect-error -- a revoke has no reason
    if (event.type === 'proof.revoked') expectTypeOf(event.reason);
    // @ts-expect-error -- no such type
    if (event.type === 'proof.revokd') throw new Error();
  }
  for await (const event of client.events({ types: ['proof.revoked', 'proof.invalidated'] })) {
    expectTypeOf(event.type).toEqualTypeOf<'proof.revoked' | 'proof.invalidated'>();
  }
  // @ts-expect-error -- no such type
  client.events({ types: ['proof.revokd'] });
}
