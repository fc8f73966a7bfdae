import type { DataSource } from 'typeorm';
import type { TestAvatar } from '../support/avatar.js';
import { jsonReply, type StandInHandler, type StandInReply } from '../../packages/look/test/support/stand-in-server.js';

/** A proof that was bound long ago, and the text that its post holds. */
export interface SeededProof {
  platform: string;
  identity: string;
  proofLocation: string;
  /** With the Avatar's signature. */
  postText: string;
}

export interface SeedOptions {
  avatar: TestAvatar;
  platform: 'github' | 'twitter' | 'activitypub';
  count: number;
  /** Default: an hour ago. */
  dueAt?: Date;
  /** Id of the first of the links, which follow each other; default 1. */
  firstLinkId?: number;
  /** Of the proof with a number, from 1; default `user<number>`. */
  identityAt?: (number: number) => string;
}

const HOUR_MS = 3600 * 1000;
/** Rows of one statement. */
const BATCH = 5_000;

/**
 * Writes `count` proofs of one Avatar straight into the tables, each with a link that is really signed, all due. The
 * Avatar must have no link yet. Fast enough for a benchmark; `seededGists` and `seededPosts` answer for the platform.
 */
export async function seedDueProofs(dataSource: DataSource, options: SeedOptions): Promise<SeededProof[]> {
  const {
    avatar,
    platform,
    count,
    dueAt = new Date(Date.now() - HOUR_MS),
    firstLinkId = 1,
    identityAt = (number: number) => `user${number}`,
  } = options;
  const seeded: SeededProof[] = [];
  for (let first = 1; first <= count; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - first + 1) }, (_, index) => first + index);
    const links = numbers.map((number) => aLink(avatar, platform, number, identityAt(number)));
    await dataSource.query(
      `with link as (
         insert into chain_link (id, avatar, position_in_chain, action, platform, identity, proof_location, created_at, uuid, signature,
           signature_payload)
         select number + $9::int - 1, $1, number, 'create', $2, identity, location, $3, gen_random_uuid(), signature, payload
         from unnest($4::int[], $5::text[], $6::text[], $7::text[], $8::text[]) as t (number, identity, location, signature, payload)
         returning *
       )
       insert into proof (avatar, platform, identity, identity_folded, proof_location, link_id, created_at, last_checked_at, is_valid,
         next_check_at)
       select avatar, platform, identity, identity, proof_location, id, created_at, created_at, true, $3::timestamptz from link`,
      [
        avatar.key.compressed,
        platform,
        dueAt,
        numbers,
        links.map((link) => link.identity),
        links.map((link) => link.proofLocation),
        links.map((link) => link.signature),
        links.map((link) => link.payload),
        firstLinkId,
      ],
    );
    seeded.push(...links);
  }
  return seeded;
}

/** Answers as GitHub does for the gists of `proofs`. */
export function seededGists(avatar: TestAvatar, proofs: SeededProof[]): StandInHandler {
  const gists = new Map(proofs.map((proof) => [`/gists/${proof.proofLocation}`, proof]));
  return ({ path }) => {
    const proof = gists.get(path);
    return proof ? gistReply(proof.identity, 7, avatar, proof.postText) : NO_SUCH_GIST;
  };
}

/** Answers as the API of X does when it is asked for many of the posts of `proofs` at once. */
export function seededPosts(proofs: SeededProof[]): StandInHandler {
  const posts = new Map(proofs.map((proof) => [proof.proofLocation, proof]));
  return ({ path, query }) => {
    if (path !== '/2/tweets') return { status: 404 };
    const found = (query.get('ids') ?? '').split(',').flatMap((id) => posts.get(id) ?? []);
    return jsonReply({
      data: found.map(({ proofLocation, postText }) => ({
        id: proofLocation,
        text: postText,
        author_id: `9${proofLocation}`,
        edit_history_tweet_ids: [proofLocation],
      })),
      includes: {
        users: found.map(({ proofLocation, identity }) => ({ id: `9${proofLocation}`, username: identity })),
      },
    });
  };
}

export const NO_SUCH_GIST = jsonReply({ message: 'Not Found' }, 404);

/** A public gist of `login` with the file of the Avatar. */
export function gistReply(login: string, accountId: number, avatar: TestAvatar, content: string): StandInReply {
  return jsonReply({
    public: true,
    truncated: false,
    owner: { login, id: accountId },
    files: { [`${avatar.key.compressed}.json`]: { truncated: false, content } },
  });
}

function aLink(
  avatar: TestAvatar,
  platform: string,
  number: number,
  identity: string,
): SeededProof & { payload: string; signature: string } {
  const payload = `{"action":"create","identity":"${identity}","number":${number},"platform":"${platform}"}`;
  const signature = avatar.sign(payload);
  return {
    platform,
    identity,
    proofLocation: platform === 'github' ? number.toString(16).padStart(32, '0') : String(1_000_000 + number),
    payload,
    signature,
    postText: `A post.\nSig: ${signature}\n`,
  };
}
