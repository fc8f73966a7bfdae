/** The second signature of a wallet binding. */
import { decodeBase64, decodeHex } from '../../dist/src/crypto/encoding.js';
import { addressOfKey } from '../../dist/src/crypto/ethereum-address.js';
import { recoverPersonalSigner } from '../../dist/src/crypto/personal-sign.js';

const NOT_BY_WALLET = 'its wallet signature was not made by the wallet over signature_payload';

/**
 * What is wrong, and what could not be checked. Other platforms have no second signature: their proof is a post that
 * may be gone by now.
 */
export async function checkWallet(document) {
  const { action, platform, extra } = document;
  if (action !== 'create' || !['ethereum', 'solana'].includes(platform)) return { problems: [], notes: [] };
  if (typeof extra.wallet_signature !== 'string') return { problems: ['it has no wallet signature'], notes: [] };
  return platform === 'ethereum' ? checkEthereum(document) : checkSolana(document);
}

function checkEthereum({ identity, signature_payload: text, extra }) {
  const written = extra.wallet_signature;
  const signature = written.startsWith('0x') ? decodeHex(written.slice(2)) : decodeBase64(written);
  const signer = signature && recoverPersonalSigner(text, signature);
  if (signer && addressOfKey(signer) === identity) return { problems: [], notes: [] };
  if (signature === null || extra.chain_id === undefined) return { problems: [NOT_BY_WALLET], notes: [] };
  const where = `chain ${extra.chain_id}, block ${extra.block_number}`;
  return { problems: [], notes: [`the signature of a contract wallet can only be checked on its chain (${where})`] };
}

async function checkSolana({ identity, signature_payload: signPayload, extra }) {
  // Brings the framework along, so it is only loaded where there is something to check.
  await import('reflect-metadata');
  const { SolanaVerifier } = await import('../../dist/src/platform/verifiers/solana/solana.verifier.js');
  const claim = { identity, signPayload, walletSignature: extra.wallet_signature, walletMessage: extra.wallet_message };
  const verdict = await new SolanaVerifier().verify(claim).catch(() => ({ valid: false }));
  return { problems: verdict.valid ? [] : [NOT_BY_WALLET], notes: [] };
}
