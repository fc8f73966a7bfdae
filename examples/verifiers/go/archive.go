package main

// Archived documents and their data items (docs/verify.md, section 9).

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

const rsaBytes = 512

var documentMembers = []string{
	"action", "avatar", "created_at", "extra", "identity", "platform", "previous_archive_id", "previous_uuid",
	"proof_location", "signature", "signature_payload", "uuid",
}

// checkDocuments answers the Avatar of the documents.
func checkDocuments(s *steps, documents []any) string {
	chain := newLinkChain(nil)
	before := object{"uuid": "", "id": ""}
	for i, one := range documents {
		where := fmt.Sprintf("document %d", i+1)
		document := one.(object)
		written := text(document, "text")
		members := parseObject(written)
		if s.check("document", isDocument(members, written), where) {
			chain.add(s, members, where)
			s.check("previous_uuid", members["previous_uuid"] == before["uuid"], where)
			s.check("previous_archive_id", members["previous_archive_id"] == before["id"], where)
			before = object{"uuid": members["uuid"], "id": document["id"]}
		}
		told, _ := document["told"].(object)
		checkDataItem(s, text(document, "id"), written, told)
	}
	return chain.avatar
}

func isDocument(members object, written string) bool {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(members)), func(name string) bool { return name == "erased" })
	if !slices.Equal(names, documentMembers) || canonical(members) != written {
		return false
	}
	for _, member := range documentMembers {
		_, isText := members[member].(string)
		_, isObject := members[member].(object)
		if member == "extra" && !isObject || member != "extra" && !isText {
			return false
		}
	}
	return true
}

func decodeURL(value any) []byte {
	written, _ := value.(string)
	decoded, err := base64.RawURLEncoding.Strict().DecodeString(strings.TrimRight(written, "="))
	if err != nil {
		return nil
	}
	return decoded
}

// checkDataItem answers the message that is signed, where the signature behind the id is known.
func checkDataItem(s *steps, id, data string, told object) []byte {
	signature := decodeURL(told["signature"])
	if told == nil || base64.RawURLEncoding.EncodeToString(sha(signature)) != id {
		s.leaveOpen("data_item", "")
		return nil
	}
	owner, _ := told["owner"].(object)
	modulus := decodeURL(owner["key"])
	tags, _ := told["tags"].([]any)
	message := deepHash(
		[]byte("dataitem"), []byte("1"), []byte("1"), modulus, decodeURL(told["recipient"]), decodeURL(told["anchor"]),
		encodeTags(tags), []byte(data),
	)
	s.check("data_item", len(modulus) == rsaBytes && isRSASignature(message, signature, modulus), "")
	return message
}

func isRSASignature(message, signature, modulus []byte) bool {
	key := &rsa.PublicKey{N: new(big.Int).SetBytes(modulus), E: 65537}
	digest := sha256.Sum256(message)
	return rsa.VerifyPSS(key, crypto.SHA256, digest[:], signature, nil) == nil // a salt of any length
}

func deepHash(parts ...[]byte) []byte {
	hash := sum384(fmt.Appendf(nil, "list%d", len(parts)))
	for _, part := range parts {
		ofPart := sum384(slices.Concat(sum384(fmt.Appendf(nil, "blob%d", len(part))), sum384(part)))
		hash = sum384(slices.Concat(hash, ofPart))
	}
	return hash
}

func sum384(message []byte) []byte {
	hash := sha512.Sum384(message)
	return hash[:]
}

func encodeTags(tags []any) []byte {
	if len(tags) == 0 {
		return nil
	}
	encoded := avroLong(len(tags))
	for _, tag := range tags {
		members, _ := tag.(object)
		for _, member := range []string{"name", "value"} {
			field := text(members, member)
			encoded = append(append(encoded, avroLong(len(field))...), field...)
		}
	}
	return append(encoded, avroLong(0)...)
}

func avroLong(value int) []byte {
	var encoded []byte
	rest := value * 2
	for ; rest > 0x7f; rest >>= 7 {
		encoded = append(encoded, byte(rest&0x7f|0x80))
	}
	return append(encoded, byte(rest))
}
