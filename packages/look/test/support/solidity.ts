import { readFileSync } from 'node:fs';
import solc from 'solc';

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: { [file: string]: { [contract: string]: { evm: { bytecode: { object: string } } } } };
}

/**
 * Compiles the Solidity file at `path`, relative to this folder, and answers the deploy bytecode of each contract in
 * lowercase hex without `0x`. The oldest instructions in common use are chosen (no PUSH0), and no metadata, so that the
 * bytes depend on source and compiler alone.
 */
export function compileSolidity(path: string): Record<string, string> {
  const input = {
    language: 'Solidity',
    sources: { source: { content: readFileSync(new URL(path, import.meta.url), 'utf8') } },
    settings: {
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 1 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as CompilerOutput;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const contracts = Object.entries(output.contracts?.source ?? {});
  return Object.fromEntries(contracts.map(([name, { evm }]) => [name, evm.bytecode.object]));
}
