/** Why a proof of the AT Protocol shows nothing: one sentence. It stays inside of the package. */
export class AtprotoError extends Error {}
