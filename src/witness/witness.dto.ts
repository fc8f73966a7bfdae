import { writeVerifierKey } from '@signet/verify/log';
import { ApiProperty } from '@nestjs/swagger';
import { unixSeconds } from '../domain/unix-time.js';
import type { WitnessIdentity } from './witness-identity.js';
import type { WitnessedHead } from './witness.service.js';

/** A log that this service is a witness of. */
export class WitnessedLogDto {
  @ApiProperty({ description: 'The name of the log.', example: 'signet.example/log' })
  origin: string;

  @ApiProperty({ description: 'Entries of the checkpoint that was signed last; 0 if none was.', example: 5 })
  size: number;

  @ApiProperty({ description: 'When it was signed, UNIX seconds; 0 if none was.', example: 1700000000 })
  cosigned_at: number;
}

/** GET /v1/witness, response. */
export class WitnessDto {
  @ApiProperty({ description: 'The name of the key.', example: 'witness.example/w1' })
  name: string;

  @ApiProperty({
    description: 'The key as policies have it (C2SP signed-note, tlog-cosignature).',
    example: 'witness.example/w1+e0cd2864+BKCapfR6Z1mAL/lV+NwtKhSlyZ0jvpf4ZBJ/+Tg0VaTw',
  })
  verifier_key: string;

  @ApiProperty({ type: [WitnessedLogDto], description: 'The logs that are watched.' })
  logs: WitnessedLogDto[];
}

export function toWitness(identity: WitnessIdentity, heads: WitnessedHead[]): WitnessDto {
  const byOrigin = new Map(heads.map((head) => [head.origin, head]));
  return {
    name: identity.cosigner.key.name,
    verifier_key: writeVerifierKey(identity.cosigner.key),
    logs: identity.origins().map((origin) => {
      const head = byOrigin.get(origin);
      return { origin, size: head?.size ?? 0, cosigned_at: head ? unixSeconds(head.cosignedAt) : 0 };
    }),
  };
}
