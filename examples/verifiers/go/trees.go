package main

// Entries and Merkle trees of the log (docs/verify.md, section 10).

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const maxSize = 1<<53 - 1

var (
	recordMembers = map[string][]string{
		"link": {
			"action", "avatar", "created_at", "extra", "id", "identity", "platform", "proof_location", "signature",
			"signature_payload", "uuid",
		},
		"kv": {"avatar", "created_at", "id", "identity", "patch", "platform", "signature", "signature_payload", "uuid"},
		// Key events are about no identity.
		"key": {
			"action", "avatar", "cosignature", "cosigner", "created_at", "due_at", "fields", "id", "links", "patches",
			"recorded_at", "signature", "signature_payload", "signer", "successor_signature", "uuid",
		},
	}
	entryMembers = []string{"avatar", "id", "kind", "record", "recorded_at", "uuid", "v"}
	// moreMembers is what entries of a kind have beside these.
	moreMembers = map[string][]string{
		"link": {"action", "identity_key"}, "kv": {"identity_key"}, "key": {},
		"erased_link": {}, "erased_kv": {}, "erased_key": {},
	}
	otherKind    = regexp.MustCompile(`^[a-z][a-z0-9_]{1,31}$`)
	recordDigits = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

func sha(parts ...[]byte) []byte {
	hash := sha256.Sum256(bytes.Join(parts, nil))
	return hash[:]
}

func leafHash(entry []byte) []byte       { return sha([]byte{0}, entry) }
func nodeHash(left, right []byte) []byte { return sha([]byte{1}, left, right) }

// sizeOf reads a whole number of a tree from JSON.
func sizeOf(value any) (uint64, bool) {
	number, isNumber := value.(float64)
	isSize := isNumber && number >= 0 && number <= maxSize && number == float64(uint64(number))
	if !isSize {
		return 0, false
	}
	return uint64(number), true
}

func areHashes(hashes ...[]byte) bool {
	return !slices.ContainsFunc(hashes, func(hash []byte) bool { return len(hash) != sha256.Size })
}

// isIncluded is RFC 9162, 2.1.3.2.
func isIncluded(leaf []byte, index, size uint64, root []byte, proof [][]byte) bool {
	if index >= size || size > maxSize || !areHashes(leaf, root) || !areHashes(proof...) {
		return false
	}
	fn, sn, node := index, size-1, leaf
	for _, sibling := range proof {
		if sn == 0 {
			return false
		}
		if fn&1 == 1 || fn == sn {
			node = nodeHash(sibling, node)
			for ; fn&1 == 0 && fn != 0; fn >>= 1 {
				sn >>= 1
			}
		} else {
			node = nodeHash(node, sibling)
		}
		fn, sn = fn>>1, sn>>1
	}
	return sn == 0 && bytes.Equal(node, root)
}

// isConsistent is RFC 9162, 2.1.4.2.
func isConsistent(size1 uint64, root1 []byte, size2 uint64, root2 []byte, proof [][]byte) bool {
	switch {
	case size1 > size2 || size2 > maxSize || size1 == 0 && !bytes.Equal(root1, sha()):
		return false
	case size1 == size2:
		return len(proof) == 0 && bytes.Equal(root1, root2)
	case !areHashes(root1, root2) || !areHashes(proof...):
		return false
	case size1 == 0 || len(proof) == 0:
		return size1 == 0 && len(proof) == 0
	}
	hashes := proof
	if size1&(size1-1) == 0 {
		hashes = append([][]byte{root1}, proof...)
	}
	fn, sn := size1-1, size2-1
	for ; fn&1 == 1; fn >>= 1 {
		sn >>= 1
	}
	fr, sr := hashes[0], hashes[0]
	for _, sibling := range hashes[1:] {
		if sn == 0 {
			return false
		}
		if fn&1 == 1 || fn == sn {
			fr, sr = nodeHash(sibling, fr), nodeHash(sibling, sr)
			for ; fn&1 == 0 && fn != 0; fn >>= 1 {
				sn >>= 1
			}
		} else {
			sr = nodeHash(sr, sibling)
		}
		fn, sn = fn>>1, sn>>1
	}
	return sn == 0 && bytes.Equal(fr, root1) && bytes.Equal(sr, root2)
}

// recordOf is the hash of a link or patch, or "" where a member is missing.
func recordOf(kind string, item object) string {
	record := object{}
	recordKind, isErasure := strings.CutPrefix(kind, "erased_")
	if !isErasure && isErased(item) {
		erased, _ := item["erased"].(object)
		return text(erased, "record")
	}
	members := recordMembers[recordKind]
	if isErasure {
		members = append(slices.Clone(members), "erased")
	}
	for _, member := range members {
		value, isThere := item[member]
		if !isThere {
			return ""
		}
		record[member] = value
	}
	return hex.EncodeToString(sha([]byte(canonical(record))))
}

func writeEntry(kind string, item object, recordedAt any) string {
	entry := object{
		"avatar": item["avatar"], "id": item["id"], "kind": kind, "record": recordOf(kind, item),
		"recorded_at": recordedAt, "uuid": item["uuid"], "v": float64(1),
	}
	if kind == "link" {
		entry["action"] = item["action"]
	}
	if len(moreMembers[kind]) > 0 {
		entry["identity_key"] = keyOfItem(item)
	}
	return canonical(entry)
}

// parseEntry is the object of canonical JSON, or nil.
func parseEntry(encoded []byte) object {
	entry := parseObject(string(encoded))
	if !utf8.Valid(encoded) || entry == nil || canonical(entry) != string(encoded) {
		return nil
	}
	return entry
}

// readEntry is the entry of a link, a patch or an erasure, or nil.
func readEntry(encoded []byte) object {
	entry := parseEntry(encoded)
	more, isKnown := moreMembers[text(entry, "kind")]
	if !isKnown || !hasMembers(entry, slices.Concat(entryMembers, more)...) || entry["v"] != float64(1) {
		return nil
	}
	for _, member := range []string{"avatar", "uuid"} {
		if _, isText := entry[member].(string); !isText {
			return nil
		}
	}
	for _, member := range []string{"id", "recorded_at"} {
		if _, isSize := sizeOf(entry[member]); !isSize {
			return nil
		}
	}
	for _, member := range []string{"record", "identity_key"} {
		if _, isThere := entry[member]; isThere && !recordDigits.MatchString(text(entry, member)) {
			return nil
		}
	}
	if action, isThere := entry["action"]; isThere && action != "create" && action != "delete" {
		return nil
	}
	return entry
}

// readOtherEntry is an entry of a kind that is not known here, as later versions may write it, or nil.
func readOtherEntry(encoded []byte) object {
	entry := parseEntry(encoded)
	kind := text(entry, "kind")
	if _, isKnown := moreMembers[kind]; isKnown || kind == "map" || !otherKind.MatchString(kind) {
		return nil
	}
	return entry
}

// The entries of a link or patch whose text was erased: its own, and that of its erasure.
const (
	eitherEntry = iota
	ownEntry
	erasureEntry
)

// isEntryOf tells whether this is the entry of a link or patch; about chooses between both of an erased one.
func isEntryOf(entry object, kind string, item object, avatar string, about int) bool {
	whole := maps.Clone(item)
	if whole == nil {
		return false
	}
	whole["avatar"] = avatar
	if _, hasNumber := whole["id"]; !hasNumber {
		whole["id"] = entry["id"]
	}
	for _, member := range []string{"avatar", "id", "uuid"} {
		if canonical(entry[member]) != canonical(whole[member]) {
			return false
		}
	}
	isNamedErasure := strings.HasPrefix(text(entry, "kind"), "erased_")
	if about != eitherEntry {
		isNamedErasure = about == erasureEntry
	}
	if isErased(item) && isNamedErasure {
		kind = "erased_" + kind
		erased, _ := item["erased"].(object)
		if entry["recorded_at"] != erased["at"] {
			return false
		}
	}
	if text(entry, "kind") != kind || text(entry, "record") != recordOf(kind, whole) {
		return false
	}
	if action, isThere := entry["action"]; isThere && action != item["action"] {
		return false
	}
	key, isThere := entry["identity_key"]
	return !isThere || key == keyOfItem(item)
}
