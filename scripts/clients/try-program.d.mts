/** See try-program.mjs; `command` is the program and its words, run in `folder`. */
export function tryProgram(program: { folder: string; command: string[]; baseUrl: string }): Promise<void>;
