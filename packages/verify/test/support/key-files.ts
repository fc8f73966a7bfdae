/**
 * "Test vectors", scrypt, of the Web3 Secret Storage definition: a key file as wallets write it, without the member
 * `address`, which not all of them have.
 */
export const SCRYPT_FILE = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 262144,
      r: 1,
      p: 8,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
};

/** The pass phrase of `SCRYPT_FILE`, the key in it (hex), and the address of that key. */
export const SCRYPT_PASSPHRASE = 'testpassword';
export const SCRYPT_KEY = '7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d';
export const SCRYPT_ADDRESS = '008aeeda4d805471df9b2a5b0f38a0c3bcba786b';
