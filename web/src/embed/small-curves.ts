/**
 * Stands for the large curve library in the one file of `<signet-proof>`, whose checks are given small curves: a check
 * that asks for the default curves fails.
 */
export const nobleCurves = null;
export const nobleEd25519 = null;
export const ed25519Of = (): null => null;
