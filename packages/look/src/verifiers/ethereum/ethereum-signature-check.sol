// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/**
 * Asks a contract wallet whether a signature is its own (ERC-1271), also one that is not deployed yet (ERC-6492). It is never deployed:
 * an `eth_call` without `to` runs the constructor, which hands back one word instead of code:
 *
 *   0  there is a contract at `wallet`, and it does not accept the signature
 *   1  the wallet accepts the signature
 *   2  there is no contract at `wallet`, even after the preparation
 *
 * It reverts for no answer of a wallet, so that a revert or an error of the call is never mistaken for a "no". The compiled form is in
 * ethereum-signature-check.ts; a test compiles this file again and compares.
 */
contract SignatureCheck {
    bytes4 private constant IS_VALID_SIGNATURE = 0x1626ba7e;

    /** Kept back from the contracts that are called, so that one that burns all it gets cannot keep us from answering. */
    uint256 private constant RESERVED_GAS = 100_000;

    /** `factory` is zero for a plain ERC-1271 signature; otherwise it is called with `preparation` where the wallet says no at first. */
    constructor(address wallet, bytes32 digest, bytes memory signature, address factory, bytes memory preparation) {
        bytes memory question = abi.encodeWithSelector(IS_VALID_SIGNATURE, digest, signature);
        bool accepted = accepts(wallet, question);
        if (!accepted && factory != address(0)) {
            prepare(factory, preparation);
            accepted = accepts(wallet, question);
        }
        uint256 answer = accepted ? 1 : wallet.code.length > 0 ? 0 : 2;
        assembly {
            mstore(0, answer)
            return(0, 32)
        }
    }

    /** Only the magic value, alone in its word, is a yes. A call to an address without code succeeds with no data, which is none. */
    function accepts(address wallet, bytes memory question) private view returns (bool) {
        if (wallet.code.length == 0) return false;
        bool answered;
        bytes32 word;
        assembly {
            // At most one word is copied, whatever the wallet returns.
            answered := staticcall(sub(gas(), RESERVED_GAS), wallet, add(question, 32), mload(question), 0, 32)
            answered := and(answered, gt(returndatasize(), 31))
            word := mload(0)
        }
        return answered && word == bytes32(IS_VALID_SIGNATURE);
    }

    /** Its outcome does not matter: what counts is the answer of the wallet afterwards. */
    function prepare(address factory, bytes memory preparation) private {
        assembly {
            pop(call(sub(gas(), RESERVED_GAS), factory, 0, add(preparation, 32), mload(preparation), 0, 0))
        }
    }
}
