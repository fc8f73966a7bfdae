import { parseTilePath } from '@signet/verify/log';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotFoundError } from '../../domain/domain-errors.js';
import { LogTree } from './log-tree.js';
import { acceptsGzip } from './tile-file.js';
import type { SignedHead } from '../heads/signed-head.js';

/** Notes and proofs are text (C2SP signed-note). */
export const NOTE_TYPE = 'text/plain; charset=utf-8';
/** Not longer than the least time between two tree heads. */
export const CHECKPOINT_CACHING = 'public, max-age=1';

/** Answers the files of the log, with the caching that C2SP tlog-tiles allows. */
@Injectable()
export class LogFiles {
  constructor(private readonly tree: LogTree) {}

  /** The note of a tree head that is there. */
  checkpoint(head: SignedHead, reply: FastifyReply): string {
    void reply.type(NOTE_TYPE).header('Cache-Control', CHECKPOINT_CACHING);
    return head.note;
  }

  /** @param text the path of a tile or bundle below the prefix @throws NotFoundError (`tile_not_found`) */
  async tile(text: string, reply: FastifyReply): Promise<Buffer> {
    const path = parseTilePath(text);
    const isZipped = acceptsGzip(reply.request.headers['accept-encoding']);
    const file = path && (await this.tree.file(path, isZipped));
    if (!file) throw new NotFoundError(`The log has no ${text}.`, 'tile_not_found');
    const { vary, ...headers } = file.headers;
    void reply.headers(headers);
    if (vary !== undefined) void reply.header('vary', [reply.getHeader('vary') ?? [], vary].flat().join(', '));
    return file.body;
  }
}

/** What stands behind the fixed part of a path; `@Param` would put a parameter of this name into the description. */
export function wildcardOf({ params }: FastifyRequest): string {
  return (params as { '*': string })['*'];
}
