import { consistencyFromTiles, tilePath, writeWitnessRequest } from '@signet/verify/internal/log';
import { readCheckpoint } from '@signet/verify/log';
import { getRaw, type LogServer } from './log-client.js';

/**
 * Asks a witness of one log to sign its checkpoint, as a log does, with the best proof that the tiles of its server
 * give. Answers the status.
 */
export async function askWitness(witness: LogServer, server: LogServer): Promise<number> {
  const { text: checkpoint } = await getRaw(server, '/log/checkpoint');
  const { size: shown } = readCheckpoint(checkpoint)!;
  const known = Math.min(shown, (await witness.get('/v1/witness')).body.logs[0].size as number);
  const readTile = async (tile: Parameters<typeof tilePath>[0]) =>
    (await getRaw(server, `/log/${tilePath(tile)}`)).bytes;
  const proof =
    known === shown || known === 0
      ? []
      : await consistencyFromTiles(known, shown, (tiles) => Promise.all(tiles.map(readTile))).catch(() => []);
  const body = writeWitnessRequest({ oldSize: known, proof, checkpoint });
  const answer = await fetch(`${witness.baseUrl}/witness/add-checkpoint`, { method: 'POST', body });
  await answer.arrayBuffer();
  return answer.status;
}
