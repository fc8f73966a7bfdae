package main

// What keys of Nostr sign (docs/verify.md, section 5): NIP-01, NIP-19 and BIP-340.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

const (
	nostrKind     = 26743
	bech32Letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
)

var (
	npub            = regexp.MustCompile(`^npub1[02-9ac-hj-np-z]{58}$`)
	bech32Generator = []uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3}
	nostrEscapes    = strings.NewReplacer(
		"\n", `\n`, `"`, `\"`, `\`, `\\`, "\r", `\r`, "\t", `\t`, "\b", `\b`, "\f", `\f`,
	)
)

// bech32Checksum is 1 where the last six values are the checksum of those before (BIP-173).
func bech32Checksum(values []byte) uint32 {
	state := uint32(1)
	for _, value := range values {
		top := state >> 25
		state = (state&0x1ffffff)<<5 ^ uint32(value)
		for bit, number := range bech32Generator {
			if top>>bit&1 == 1 {
				state ^= number
			}
		}
	}
	return state
}

// decodeNpub gives the 32 bytes of a key, or nil.
func decodeNpub(text string) []byte {
	if !npub.MatchString(text) {
		return nil
	}
	var values []byte
	for _, letter := range text[5:] {
		values = append(values, byte(strings.IndexRune(bech32Letters, letter)))
	}
	// The letters of "npub", their upper bits first.
	prefix := []byte{3, 3, 3, 3, 0, 14, 16, 21, 2}
	if bech32Checksum(append(prefix, values...)) != 1 {
		return nil
	}
	// 52 letters of five bits are 32 bytes and four bits, which are zero.
	var key []byte
	buffer, bits := uint32(0), 0
	for _, value := range values[:len(values)-6] {
		buffer, bits = (buffer<<5|uint32(value))&0xfff, bits+5
		if bits >= 8 {
			bits -= 8
			key = append(key, byte(buffer>>bits))
		}
	}
	if buffer&15 != 0 {
		return nil
	}
	return key
}

func isBip340Signature(message, signature, key []byte) bool {
	if len(signature) != 64 || len(key) != 32 {
		return false
	}
	point, err := secp256k1.ParsePubKey(append([]byte{2}, key...))
	var r secp256k1.FieldVal
	var s, e secp256k1.ModNScalar
	if err != nil || r.SetByteSlice(signature[:32]) || s.SetByteSlice(signature[32:]) || s.IsZero() {
		return false
	}
	tag := sha256.Sum256([]byte("BIP0340/challenge"))
	hash := sha256.New()
	for _, part := range [][]byte{tag[:], tag[:], signature[:32], key, message} {
		hash.Write(part)
	}
	e.SetByteSlice(hash.Sum(nil))
	e.Negate()
	// R = sG - eP, with an even y and r as its x.
	var p, sg, ep, nonce secp256k1.JacobianPoint
	point.AsJacobian(&p)
	secp256k1.ScalarBaseMultNonConst(&s, &sg)
	secp256k1.ScalarMultNonConst(&e, &p, &ep)
	secp256k1.AddNonConst(&sg, &ep, &nonce)
	if nonce.X.IsZero() && nonce.Y.IsZero() || nonce.Z.IsZero() {
		return false
	}
	nonce.ToAffine()
	return !nonce.Y.IsOdd() && nonce.X.Equals(&r)
}

func isNostrSignature(identity, payload, written string) bool {
	var signature []byte
	for _, reading := range [][]byte{decodeBase64(written), decodeHex(strings.TrimPrefix(written, "0x"))} {
		if len(reading) == 64 {
			signature = reading
			break
		}
	}
	key, time := decodeNpub(identity), text(parseObject(payload), "created_at")
	if signature == nil || key == nil || !unixSeconds.MatchString(time) {
		return false
	}
	content := nostrEscapes.Replace(payload)
	event := fmt.Sprintf(`[0,"%s",%s,%d,[],"%s"]`, hex.EncodeToString(key), time, nostrKind, content)
	id := sha256.Sum256([]byte(event))
	return isBip340Signature(id[:], signature, key)
}
