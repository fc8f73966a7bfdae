import type { MapProof } from '@signet/verify/internal/map';
import type { LogMapProofDto } from '../../src/transparency-log/published/log-map.dto.js';

/** A proof of the map, as it is answered. */
export function readProof(text: string): MapProof {
  const { siblings, end } = JSON.parse(text) as LogMapProofDto;
  return { siblings: siblings.map(bytesOf), end: end && { key: bytesOf(end.key), valueHash: bytesOf(end.value_hash) } };
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}
