package main

// Keys of apps: what they are called, and whether one of them signed a text (docs/keys.md, "Keys of apps").

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	appKey        = regexp.MustCompile(`^(?:(?:secp256k1|es256):0x0[23][0-9a-f]{64}|ed25519:0x[0-9a-f]{64})$`)
	httpsOrigin   = regexp.MustCompile(`^https://((?:` + hostLabel + `\.)+` + hostLabel + `)(?::([1-9][0-9]{0,4}))?$`)
	localOrigin   = regexp.MustCompile(`^http://localhost(?::([1-9][0-9]{0,4}))?$`)
	scopePlatform = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]{0,63}$`)
	hostOfOrigin  = regexp.MustCompile(`^https?://([^/:]+)`)
)

const (
	hostLabel = `[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?`

	maxAppSignature = 4096
)

// keyOrigin is the origin that a key was added with: none, or not known where its key.add is not at hand.
type keyOrigin struct {
	isKnown, isNone bool
	page            string
}

// originOf is what the fields of a key.add say.
func originOf(fields object) keyOrigin {
	page, isPage := fields["origin"].(string)
	return keyOrigin{true, !isPage, page}
}

func isAppKey(value any) bool {
	name, _ := value.(string)
	return appKey.MatchString(name)
}

func isOrigin(page string) bool {
	if found := httpsOrigin.FindStringSubmatch(page); found != nil {
		return len(found[1]) <= 253 && found[2] != "443"
	}
	found := localOrigin.FindStringSubmatch(page)
	return found != nil && found[1] != "80"
}

func isScope(scope string) bool {
	if scope == "kv" {
		return true
	}
	rest, isOfOne := strings.CutPrefix(scope, "kv:")
	platform, identity, isCut := strings.Cut(rest, ":")
	length := utf8.RuneCountInString(identity)
	return isOfOne && isCut && scopePlatform.MatchString(platform) && length >= 1 && length <= 256 &&
		!strings.ContainsFunc(identity, unicode.IsControl)
}

// isAppSignature tells whether a key of an app signed this text.
func isAppSignature(said, key, written string, origin keyOrigin) bool {
	signature := decodeBase64(written)
	if len(written) > maxAppSignature || signature == nil || !isAppKey(key) {
		return false
	}
	algorithm, point, _ := strings.Cut(key, ":")
	encoded := decodeHex(point[2:])
	switch algorithm {
	case "secp256k1":
		return isSignedBy(said, signature, point)
	case "ed25519":
		return isEd25519Signature([]byte(said), signature, encoded)
	}
	x, y := elliptic.UnmarshalCompressed(elliptic.P256(), encoded)
	if x == nil {
		return false
	}
	public := &ecdsa.PublicKey{Curve: elliptic.P256(), X: x, Y: y}
	if assertion := readAssertion(signature); assertion != nil {
		return assertion.isOver(sha([]byte(said)), origin, public)
	}
	if len(signature) != 64 {
		return false
	}
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	return ecdsa.Verify(public, sha([]byte(said)), r, s)
}

// assertion is that of a passkey (Web Authentication Level 3, section 7.2).
type assertion struct{ data, client, signature []byte }

// readAssertion is what canonical JSON of three members in Base64url holds, or nil.
func readAssertion(encoded []byte) *assertion {
	said := parseObject(string(encoded))
	if !hasMembers(said, "authenticatorData", "clientDataJSON", "signature") || canonical(said) != string(encoded) {
		return nil
	}
	var parts [3][]byte
	for i, member := range []string{"authenticatorData", "clientDataJSON", "signature"} {
		written, isText := said[member].(string)
		decoded, err := base64.RawURLEncoding.Strict().DecodeString(written)
		if !isText || err != nil || strings.ContainsAny(written, "\r\n") {
			return nil
		}
		parts[i] = decoded
	}
	return &assertion{parts[0], parts[1], parts[2]}
}

const (
	userPresent  = 1
	userVerified = 4
	mayBeCopied  = 8
	isCopied     = 16
	hasKey       = 64
	hasMore      = 128
)

func (a *assertion) isOver(challenge []byte, origin keyOrigin, key *ecdsa.PublicKey) bool {
	client := parseObject(strings.TrimPrefix(string(a.client), byteOrderMark))
	page, isPage := client["origin"].(string)
	crossOrigin, _ := client["crossOrigin"].(bool)
	_, isCross := client["topOrigin"]
	isCross = isCross || crossOrigin || !slices.Contains([]any{nil, false}, client["crossOrigin"])
	if client["type"] != "webauthn.get" || !isPage || isCross || origin.isKnown && (origin.isNone || page != origin.page) {
		return false
	}
	if client["challenge"] != base64.RawURLEncoding.EncodeToString(challenge) || !a.hasRightData(page) {
		return false
	}
	signed := slices.Concat(a.data, sha(a.client))
	return ecdsa.VerifyASN1(key, sha(signed), a.signature) // which reads strict DER
}

func (a *assertion) hasRightData(page string) bool {
	if len(a.data) < 37 {
		return false
	}
	flags := a.data[32]
	isLong := len(a.data) > 37
	if flags&hasKey != 0 || isLong != (flags&hasMore != 0) || flags&userPresent == 0 || flags&userVerified == 0 {
		return false
	}
	if flags&isCopied != 0 && flags&mayBeCopied == 0 {
		return false
	}
	host := ""
	if found := hostOfOrigin.FindStringSubmatch(page); found != nil {
		host = found[1]
	}
	labels := strings.Split(host, ".")
	hosts := []string{host}
	for place := 1; place < min(len(labels), 127)-1; place++ {
		hosts = append(hosts, strings.Join(labels[place:min(len(labels), 127)], "."))
	}
	return slices.ContainsFunc(hosts, func(one string) bool { return bytes.Equal(sha([]byte(one)), a.data[:32]) })
}
