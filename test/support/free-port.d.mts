/** See free-port.mjs; written in JavaScript because scripts and the global set-up of jest import it. */
export function freePort(): Promise<number>;
