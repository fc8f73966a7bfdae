import type { VerifierUnderTest } from '../describe-verifier.js';
import { DESCRIBED_SUITES } from './described.js';
import { steam } from './steam.js';
import { ofHost } from './website.js';

/** The platforms on which a text of a profile, of a project or of a website is the proof: what each answers. */
export const PROFILE_SUITES: VerifierUnderTest[] = [...DESCRIBED_SUITES, steam, ofHost];
