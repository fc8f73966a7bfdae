import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import type { Proof } from '../proof.entity.js';

/** A binding that was answered to somebody who asked for its name or its key, and when it was last checked. */
export type LookedUpBinding = Pick<Proof, 'avatar' | 'platform' | 'identity' | 'lastCheckedAt'>;

/**
 * Announces the bindings that are looked up by their names or keys, in this process. Searches for parts of names do not
 * count: they name what the caller did not know of.
 */
@Injectable()
export class LookedUp {
  /** Observers must not throw. */
  readonly bindings = new Subject<LookedUpBinding>();
}
