// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/** Wallets of the tests, good and bad. Each answers isValidSignature(bytes32,bytes) of ERC-1271 in its own way. */

/** Accepts what its owner's key signed (65 bytes r, s, v). */
contract OwnedWallet {
    address internal owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view virtual returns (bytes4) {
        return isFromOwner(digest, signature) ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }

    function isFromOwner(bytes32 digest, bytes calldata signature) internal view returns (bool) {
        if (signature.length != 65) return false;
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        address signer = ecrecover(digest, uint8(signature[64]), r, s);
        return signer != address(0) && signer == owner;
    }
}

/** Is deployed, and accepts nothing until somebody has called `migrate`: the case for which ERC-6492 asks a deployed wallet twice. */
contract MigratingWallet is OwnedWallet {
    bool private migrated;

    constructor(address owner_) OwnedWallet(owner_) {}

    function migrate() external {
        migrated = true;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view override returns (bytes4) {
        return migrated && isFromOwner(digest, signature) ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/** What an ERC-7702 account points to: the account itself names another key in its first slot, or accepts nothing. */
contract DelegateWallet is OwnedWallet {
    constructor() OwnedWallet(address(0)) {}
}

/** Accepts digests that were approved before, whatever the signature; the empty one too. */
contract ApprovingWallet {
    mapping(bytes32 => bool) private approved;

    function approve(bytes32 digest) external {
        approved[digest] = true;
    }

    function isValidSignature(bytes32 digest, bytes calldata) external view returns (bytes4) {
        return approved[digest] ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/** Accepts a long signature if all its bytes are 0x2a. */
contract LongSignatureWallet {
    function isValidSignature(bytes32, bytes calldata signature) external pure returns (bytes4) {
        if (signature.length < 1000 || keccak256(signature) != keccak256(filled(signature.length))) return 0xffffffff;
        return 0x1626ba7e;
    }

    function filled(uint256 length) private pure returns (bytes memory text) {
        text = new bytes(length);
        assembly {
            let end := add(add(text, 32), length)
            for { let at := add(text, 32) } lt(at, end) { at := add(at, 32) } {
                mstore(at, 0x2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a)
            }
        }
    }
}

contract RefusingWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0xffffffff;
    }
}

contract RevertingWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        revert("not today");
    }
}

/** Has no such function at all. */
contract UnrelatedContract {
    function hello() external pure returns (uint256) {
        return 1;
    }
}

/** Returns the magic value in 4 bytes instead of a word. */
contract ShortWallet {
    fallback() external {
        assembly {
            mstore(0, shl(224, 0x1626ba7e))
            return(0, 4)
        }
    }
}

/** Returns the magic value with other bytes behind it in the same word. */
contract NoisyWallet {
    fallback() external {
        assembly {
            mstore(0, or(shl(224, 0x1626ba7e), 1))
            return(0, 32)
        }
    }
}

/** Returns what it was sent, which starts with the selector, as the identity precompile does. */
contract EchoWallet {
    fallback() external {
        assembly {
            calldatacopy(0, 0, calldatasize())
            return(0, calldatasize())
        }
    }
}

/** Returns 1 MiB. */
contract HugeWallet {
    fallback() external {
        assembly {
            return(0, 1048576)
        }
    }
}

/** Burns all the gas it gets. */
contract BurningWallet {
    fallback() external {
        assembly {
            invalid()
        }
    }
}

/** Accepts everything from a caller that it takes for a simulation. */
contract TrustingWallet {
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        return tx.origin == address(0) ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/** Deploys wallets at addresses that are known before. */
contract Factory {
    function deploy(address owner) external returns (address) {
        return address(new OwnedWallet{salt: 0}(owner));
    }

    function deployBurning() external returns (address wallet) {
        wallet = address(new BurningWallet{salt: 0}());
        assembly {
            invalid()
        }
    }
}
