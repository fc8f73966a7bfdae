package main

// JSON, encodings, hashes and signatures (docs/verify.md, sections 1 to 3 and 5).

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"golang.org/x/crypto/sha3"
)

type object = map[string]any

const maxDepth = 256

var errNotJSON = errors.New("this is not a JSON text")

// parseJSON reads a JSON text; numbers are float64.
func parseJSON(text string) (any, error) {
	if !utf8.ValidString(text) || holdsHalfSurrogate(text) {
		return nil, errNotJSON
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	var value any
	if err := decoder.Decode(&value); err != nil { // a number out of range is an error too
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errNotJSON
	}
	if depthOf(value, 0) > maxDepth {
		return nil, errNotJSON
	}
	return value, nil
}

var escape = regexp.MustCompile(`\\(?:u[0-9a-fA-F]{4}|.)`)

// holdsHalfSurrogate looks for escapes such as \ud83d that are not followed, or preceded, by the other half;
// encoding/json would read them as U+FFFD.
func holdsHalfSurrogate(text string) bool {
	highEnd := -1 // where a high half ended that waits for its low half
	for _, at := range escape.FindAllStringIndex(text, -1) {
		unit, err := strconv.ParseUint(text[min(at[0]+2, at[1]):at[1]], 16, 16)
		isHalf := at[1]-at[0] == 6 && err == nil && unit >= 0xd800 && unit < 0xe000
		isLow := isHalf && unit >= 0xdc00
		if isLow != (highEnd == at[0]) || highEnd >= 0 && !isLow {
			return true
		}
		highEnd = -1
		if isHalf && !isLow {
			highEnd = at[1]
		}
	}
	return highEnd >= 0
}

func depthOf(value any, above int) int {
	deepest := above
	switch container := value.(type) {
	case object:
		deepest++
		for _, member := range container {
			deepest = max(deepest, depthOf(member, above+1))
		}
	case []any:
		deepest++
		for _, item := range container {
			deepest = max(deepest, depthOf(item, above+1))
		}
	}
	return deepest
}

// parseObject is the object that a JSON text holds, or nil.
func parseObject(text string) object {
	value, err := parseJSON(text)
	if err != nil {
		return nil
	}
	found, _ := value.(object)
	return found
}

// canonical writes canonical JSON (RFC 8785).
func canonical(value any) string { return writeJSON(value, canonicalOrder) }

// rewritten is what JavaScript makes of canonical JSON by reading and writing it.
func rewritten(value any) string {
	return writeJSON(value, func(names []string) {
		canonicalOrder(names)
		slices.SortStableFunc(names, func(a, b string) int {
			one, isOne := arrayIndex(a)
			other, isOther := arrayIndex(b)
			switch {
			case isOne && isOther:
				return one - other
			case isOne:
				return -1
			case isOther:
				return 1
			}
			return 0
		})
	})
}

func canonicalOrder(names []string) {
	slices.SortFunc(names, func(a, b string) int {
		return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
	})
}

func arrayIndex(name string) (int, bool) {
	number, err := strconv.ParseUint(name, 10, 32)
	return int(number), err == nil && number < 1<<32-1 && strconv.FormatUint(number, 10) == name
}

func writeJSON(value any, order func([]string)) string {
	switch value := value.(type) {
	case object:
		names := make([]string, 0, len(value))
		for name := range value {
			names = append(names, name)
		}
		order(names)
		members := make([]string, len(names))
		for i, name := range names {
			members[i] = writeText(name) + ":" + writeJSON(value[name], order)
		}
		return "{" + strings.Join(members, ",") + "}"
	case []any:
		items := make([]string, len(value))
		for i, item := range value {
			items[i] = writeJSON(item, order)
		}
		return "[" + strings.Join(items, ",") + "]"
	case string:
		return writeText(value)
	case float64:
		return writeNumber(value)
	case bool:
		return strconv.FormatBool(value)
	}
	return "null"
}

var shortEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

func writeText(text string) string {
	var out strings.Builder
	for _, letter := range text {
		if short, ok := shortEscapes[letter]; ok {
			out.WriteString(short)
		} else if letter < 0x20 {
			fmt.Fprintf(&out, `\u%04x`, letter)
		} else {
			out.WriteRune(letter)
		}
	}
	return `"` + out.String() + `"`
}

// writeNumber writes a double as ECMAScript does.
func writeNumber(number float64) string {
	if number == 0 {
		return "0"
	}
	shortest := strconv.FormatFloat(number, 'e', -1, 64)
	mantissa, power, _ := strings.Cut(shortest, "e")
	exponent, _ := strconv.Atoi(power)
	if exponent >= -6 && exponent < 21 {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return fmt.Sprintf("%se%+d", mantissa, exponent)
}

// decodeHex and the decoders below answer nil for anything else; no bytes are an empty slice.
func decodeHex(text string) []byte {
	decoded, err := hex.DecodeString(text)
	if err != nil {
		return nil
	}
	return decoded
}

func decodeBase64(text string) []byte {
	decoded, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || strings.ContainsAny(text, "\r\n") { // which the library leaves out
		return nil
	}
	return decoded
}

// decodeBytes reads Base64, or 0x and hex.
func decodeBytes(text string) []byte {
	var decoded []byte
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		decoded = decodeHex(digits)
	}
	if decoded == nil {
		decoded = decodeBase64(text)
	}
	if len(decoded) > 64*1024 {
		return nil
	}
	return decoded
}

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

func decodeBase58(text string) []byte {
	number := new(big.Int)
	for _, letter := range text {
		digit := strings.IndexRune(base58, letter)
		if digit < 0 || len(text) > 256 {
			return nil
		}
		number.Add(number.Mul(number, big.NewInt(58)), big.NewInt(int64(digit)))
	}
	zeros := len(text) - len(strings.TrimLeft(text, "1"))
	return append(make([]byte, zeros), number.Bytes()...)
}

func keccak256(parts ...[]byte) []byte {
	hash := sha3.NewLegacyKeccak256()
	for _, part := range parts {
		hash.Write(part)
	}
	return hash.Sum(nil)
}

func personalDigest(text string) []byte {
	return keccak256(fmt.Appendf(nil, "\x19Ethereum Signed Message:\n%d%s", len(text), text))
}

// parseSignature reads r, s and the parity of the nonce point in the order of decred's compact form.
func parseSignature(signature []byte) ([]byte, bool) {
	rs := bytes.Clone(signature[:min(64, len(signature))])
	var parity byte
	switch {
	case len(signature) == 64:
		parity = rs[32] >> 7
		rs[32] &= 0x7f
	case len(signature) == 65 && slices.Contains([]byte{0, 1, 27, 28}, signature[64]):
		parity = signature[64] % 27
	default:
		return nil, false
	}
	for _, scalar := range [][]byte{rs[:32], rs[32:]} {
		var number secp256k1.ModNScalar
		if overflow := number.SetByteSlice(scalar); overflow || number.IsZero() {
			return nil, false
		}
	}
	return append([]byte{27 + parity}, rs...), true
}

// isSignedBy tells whether the key of this name has signed a text by personal_sign. An empty name is no key.
func isSignedBy(text string, signature []byte, avatar string) bool {
	return avatar != "" && recoverSigner(text, signature) == avatar
}

// recoverSigner is the compressed key that signed a text by personal_sign, or "".
func recoverSigner(text string, signature []byte) string {
	compact, ok := parseSignature(signature)
	if !ok {
		return ""
	}
	key, _, err := ecdsa.RecoverCompact(compact, personalDigest(text))
	if err != nil {
		return ""
	}
	return keyText(key.SerializeCompressed())
}

func keyText(encoded []byte) string { return "0x" + hex.EncodeToString(encoded) }

var keyDigits = regexp.MustCompile(`^(?:[0-9a-fA-F]{66}|[0-9a-fA-F]{130})$`)

// parseKey answers the reason, key_form or key_point, where a text is not a key.
func parseKey(text string, without0x bool) (*secp256k1.PublicKey, string) {
	digits, ok := strings.CutPrefix(text, "0x")
	if !ok && !without0x || !keyDigits.MatchString(digits) {
		return nil, "key_form"
	}
	encoded := decodeHex(digits)
	isSpelled := encoded[0] == 4 // decred reads hybrid keys too
	if len(encoded) == 33 {
		isSpelled = encoded[0] == 2 || encoded[0] == 3
	}
	key, err := secp256k1.ParsePubKey(encoded)
	if !isSpelled || err != nil {
		return nil, "key_point"
	}
	return key, ""
}

func addressOf(key *secp256k1.PublicKey) string {
	return "0x" + hex.EncodeToString(keccak256(key.SerializeUncompressed()[1:])[12:])
}

var (
	prime, _ = new(big.Int).SetString("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed", 16)
	// The y of the points of small order, little-endian, of which crypto/ed25519 knows nothing.
	smallOrder = []string{
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000000",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
	}
)

// isEd25519Key tells whether 32 bytes encode a point, in its one encoding, that is not of small order.
func isEd25519Key(key []byte) bool {
	if len(key) != ed25519.PublicKeySize {
		return false
	}
	y := bytes.Clone(key)
	sign := y[31] >> 7
	y[31] &= 0x7f
	if slices.Contains(smallOrder, hex.EncodeToString(y)) {
		return false
	}
	slices.Reverse(y)
	number := new(big.Int).SetBytes(y)
	return number.Cmp(prime) < 0 && isOnCurve(number, sign)
}

// isOnCurve asks whether (y^2 - 1) / (d y^2 + 1) is a square: the x^2 of RFC 8032, 5.1.3.
func isOnCurve(y *big.Int, sign byte) bool {
	d := new(big.Int).ModInverse(big.NewInt(121666), prime)
	d.Mul(d, big.NewInt(-121665)).Mod(d, prime)
	one := big.NewInt(1)
	square := new(big.Int).Mul(y, y)
	above := new(big.Int).Sub(square, one)
	below := new(big.Int).Add(new(big.Int).Mul(d, square), one)
	x2 := above.Mul(above, below.ModInverse(below.Mod(below, prime), prime))
	x2.Mod(x2, prime)
	return x2.Sign() == 0 && sign == 0 || big.Jacobi(x2, prime) == 1
}

func isEd25519Signature(message, signature, key []byte) bool {
	return isEd25519Key(key) && len(signature) == ed25519.SignatureSize && ed25519.Verify(key, message, signature)
}
