import type { EntityManager } from 'typeorm';
import type { BindingEvent } from '../domain/domain-events.js';

/** Whether a binding rests on this link, in the transaction of `manager`. */
export async function isBoundBy(manager: EntityManager, linkId: number): Promise<boolean> {
  return ((await manager.query('select id from proof where link_id = $1', [linkId])) as unknown[]).length > 0;
}

/** Takes out the binding that rests on this link, with its checks, in the transaction of `manager`. */
export async function eraseBinding(manager: EntityManager, linkId: number): Promise<void> {
  await manager.query('delete from proof where link_id = $1', [linkId]);
}

/** Erases what was seen of a binding that is gone, in the transaction of `manager`. */
export async function eraseEvidence(
  manager: EntityManager,
  { avatar, platform, identity }: BindingEvent,
): Promise<void> {
  await manager.query('delete from proof_evidence where avatar = $1 and platform = $2 and identity = $3', [
    avatar,
    platform,
    identity,
  ]);
}
