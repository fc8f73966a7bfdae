import type { StepName } from '../steps.js';

/** Why a chain of DNSSEC shows nothing: one sentence, and the step that fails. It stays inside of the package. */
export class DnssecError extends Error {
  constructor(
    message: string,
    readonly step: StepName = 'signature',
  ) {
    super(message);
  }
}
