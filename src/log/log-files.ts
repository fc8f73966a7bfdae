import { hash } from 'node:crypto';
import { parseTilePath } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotFoundError } from '../domain/domain-errors.js';
import { LogHeads } from './log-heads.js';
import { LogTree } from './log-tree.js';
import type { PublishedHead } from './published-checkpoint.js';

/** Notes and proofs are text (C2SP signed-note). */
export const NOTE_TYPE = 'text/plain; charset=utf-8';
export const TILE_TYPE = 'application/octet-stream';
/** A tile of a given width never changes; caches need never ask again (C2SP tlog-tiles). */
const TILE_CACHING = 'public, max-age=31536000, immutable';
/** Not longer than the least time between two tree heads. */
const CHECKPOINT_CACHING = 'public, max-age=1';

/** Answers the files of the log, with the caching that C2SP tlog-tiles allows. */
@Injectable()
export class LogFiles {
  constructor(
    private readonly tree: LogTree,
    private readonly heads: LogHeads,
  ) {}

  /** The note of a tree head that is there. */
  checkpoint(head: PublishedHead, reply: FastifyReply): string {
    void reply.type(NOTE_TYPE).header('Cache-Control', CHECKPOINT_CACHING);
    return head.note;
  }

  /** @param text the path of a tile or bundle below the prefix @throws NotFoundError (`tile_not_found`) */
  async tile(text: string, reply: FastifyReply): Promise<Buffer> {
    const path = parseTilePath(text);
    const bytes = path && (await this.tree.file(path));
    if (!bytes) throw new NotFoundError(`The log has no ${text}.`, 'tile_not_found');
    // Content that never changes needs no hash of its own: its name will do.
    const etag = `"${hash('sha1', `${this.heads.origin} ${text}`, 'base64')}"`;
    void reply.type(TILE_TYPE).header('Cache-Control', TILE_CACHING).header('ETag', etag);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

/** What stands behind the fixed part of a path; `@Param` would put a parameter of this name into the description. */
export function wildcardOf({ params }: FastifyRequest): string {
  return (params as { '*': string })['*'];
}
