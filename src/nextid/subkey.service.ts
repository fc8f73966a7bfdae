import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { InvalidRequestError } from '@signet/look';
import { isP256Point } from '../crypto/p256.js';
import { readRows } from '../database/connections/prepared.js';
import { AvatarKey } from '../domain/avatar-key.js';
import { LimitExceededError } from '../domain/domain-errors.js';
import { assertAvatarSigned } from '../ledger/avatar-signature.js';
import type { Algorithm, SubkeyDto, SubkeyPayloadRequestDto, SubkeySubmitRequestDto } from './subkey.dto.js';

/** Subkeys that one Avatar may have, and that a list shows. */
const MAX_SUBKEYS = 100;

const COLUMNS =
  'avatar, algorithm, public_key, name, rp_id, floor(extract(epoch from created_at))::float8 as created_at';

/**
 * Adds a subkey below the limit. Concurrent requests may exceed the limit by one each, which is harmless: lists end
 * there.
 */
const ADD = `
  with added as (
    insert into subkey (avatar, algorithm, public_key, rp_id, name, signature)
    select $1, $2, $3, $4, $5, $6 where (select count(*) from subkey where avatar = $1) < ${MAX_SUBKEYS}
    on conflict do nothing returning id
  )
  select exists (select from added) or exists (
    select from subkey where avatar = $1 and algorithm = $2 and public_key = $3 and rp_id = $4
  ) as "isStored"`;

/**
 * Subkeys as NextID's proof_server keeps them: statements of an Avatar that another key may act for it at `rp_id`. They
 * are stored and listed, and have no power here: no other part of this service reads them. The clients whose sources
 * the dialect was made from do not use these routes. The routes stay because released servers have them, and because
 * other services check the signatures.
 */
@Injectable()
export class SubkeyService {
  constructor(private readonly dataSource: DataSource) {}

  /** The text to sign. @throws InvalidRequestError (`invalid_public_key`) */
  payload(request: SubkeyPayloadRequestDto): string {
    return textOf(check(request));
  }

  /**
   * Stores a subkey that the Avatar signed; one that is stored already is left as it is. Returns the text that is
   * signed.
   * @throws what `payload` throws; InvalidSignatureError; LimitExceededError (`too_many_subkeys`)
   */
  async add({ name, signature, ...request }: SubkeySubmitRequestDto): Promise<string> {
    const checked = check(request);
    const { avatar, algorithm, public_key, rp_id } = checked;
    const text = textOf(checked);
    assertAvatarSigned('signature', signature, text, avatar);
    const values = [avatar.compressed, algorithm, public_key, rp_id, name, signature];
    const [row] = await this.dataSource.query<[{ isStored: boolean }]>(ADD, values);
    if (!row.isStored) {
      throw new LimitExceededError(`An Avatar may have at most ${MAX_SUBKEYS} subkeys.`, 'too_many_subkeys');
    }
    return text;
  }

  /** Subkeys of an Avatar, oldest first. @throws InvalidRequestError (`invalid_public_key`) */
  async ofAvatar(avatar: string): Promise<SubkeyDto[]> {
    const sql = `select ${COLUMNS} from subkey where avatar = $1 order by id limit ${MAX_SUBKEYS}`;
    return readRows(this.dataSource, ['subkey'], sql, [AvatarKey.parse(avatar).compressed]);
  }

  /** Which Avatars have this subkey, the oldest statement first. @throws InvalidRequestError (`invalid_public_key`) */
  async ofKey(algorithm: Algorithm, publicKey: string): Promise<SubkeyDto[]> {
    return readRows(
      this.dataSource,
      ['subkey'],
      `select ${COLUMNS} from subkey where algorithm = $1 and public_key = $2 order by id limit ${MAX_SUBKEYS}`,
      [algorithm, canonicalKey(algorithm, publicKey)],
    );
  }
}

/** The members that are signed, in the order in which NextID's clients expect them. */
function check({ avatar, algorithm, public_key: key, rp_id }: SubkeyPayloadRequestDto) {
  return { avatar: AvatarKey.parse(avatar), algorithm, public_key: canonicalKey(algorithm, key), rp_id };
}

/** The text that is signed; the Avatar stands in it without `0x`. */
function textOf({ avatar, ...others }: ReturnType<typeof check>): string {
  return JSON.stringify({ avatar: avatar.compressed.slice(2), ...others });
}

/** Returns the key in lowercase. @throws InvalidRequestError (`invalid_public_key`) */
function canonicalKey(algorithm: Algorithm, text: string): string {
  if (algorithm === 'secp256k1') {
    AvatarKey.parse(text);
    return text.toLowerCase();
  }
  if (!isP256Point(text)) {
    throw new InvalidRequestError(
      'public_key must be 0x and 128 hex digits, the coordinates of a point on P-256.',
      'invalid_public_key',
    );
  }
  return text.toLowerCase();
}
