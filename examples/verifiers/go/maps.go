package main

// The map over the log: proofs, entries, replay (docs/verify.md, section 13).

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"regexp"
	"slices"
	"unicode/utf8"
)

var mapEntryMembers = []string{"kind", "recorded_at", "root", "size", "v"}

func avatarKey(avatar string) []byte { return sha([]byte("signet-map/1 avatar\n" + avatar)) }
func holderKey(avatar string) []byte { return sha([]byte("signet-map/1 holder\n" + avatar)) }
func identityKey(platform, identity string) []byte {
	return sha([]byte("signet-map/1 identity\n" + platform + "\n" + identity))
}

func mapLeaf(key, valueHash []byte) []byte { return sha([]byte{2}, key, valueHash) }
func mapNode(left, right []byte) []byte    { return sha([]byte{3}, left, right) }

func bitOf(key []byte, depth int) byte { return key[depth>>3] >> (7 - depth&7) & 1 }

// mapEnd is the leaf at the end of the path of a proof.
type mapEnd struct{ key, valueHash []byte }

// provenValue answers the hash of the value of a key, nil if the key is shown to be absent, and whether anything is
// shown.
func provenValue(root, key []byte, siblings [][]byte, end *mapEnd) ([]byte, bool) {
	depth := len(siblings)
	if depth > 256 || !areHashes(root, key) || !areHashes(siblings...) {
		return nil, false
	}
	node := make([]byte, sha256.Size)
	if end != nil {
		if !areHashes(end.key, end.valueHash) {
			return nil, false
		}
		for at := range depth {
			if bitOf(end.key, at) != bitOf(key, at) {
				return nil, false
			}
		}
		node = mapLeaf(end.key, end.valueHash)
	}
	for i, sibling := range siblings {
		if bitOf(key, depth-1-i) == 1 {
			node = mapNode(sibling, node)
		} else {
			node = mapNode(node, sibling)
		}
	}
	if !bytes.Equal(node, root) {
		return nil, false
	}
	if end != nil && bytes.Equal(end.key, key) {
		return end.valueHash, true
	}
	return nil, true
}

// mapRoot is the root over leaves, sorted by their keys.
func mapRoot(leaves []mapEnd, depth int) []byte {
	switch len(leaves) {
	case 0:
		return make([]byte, sha256.Size)
	case 1:
		return mapLeaf(leaves[0].key, leaves[0].valueHash)
	}
	middle := slices.IndexFunc(leaves, func(leaf mapEnd) bool { return bitOf(leaf.key, depth) == 1 })
	if middle < 0 {
		middle = len(leaves)
	}
	return mapNode(mapRoot(leaves[:middle], depth+1), mapRoot(leaves[middle:], depth+1))
}

// readMapEntry reads an entry of the map; nil for other bytes.
func readMapEntry(encoded []byte) object {
	entry := parseObject(string(encoded))
	isSpelled := utf8.Valid(encoded) && entry != nil && canonical(entry) == string(encoded)
	if !isSpelled || !slices.Equal(slices.Sorted(maps.Keys(entry)), mapEntryMembers) {
		return nil
	}
	_, hasTime := sizeOf(entry["recorded_at"])
	_, hasSize := sizeOf(entry["size"])
	isMap := entry["kind"] == "map" && entry["v"] == float64(1) && recordDigits.MatchString(text(entry, "root"))
	if !isMap || !hasTime || !hasSize {
		return nil
	}
	return entry
}

var countedKind = regexp.MustCompile("^[a-z]{1,15}[a-rt-z]$")

// isCountedKind tells whether entries of a kind that is not known here count for the Avatar that they name.
func isCountedKind(kind string) bool {
	return countedKind.MatchString(kind) && !slices.Contains([]string{"link", "kv", "patch", "map"}, kind)
}

// mapState is the map after the entries of a log.
type mapState struct {
	size    int
	avatars map[string]object
	holders map[string]map[string]int
	// creates has the links that made bindings, by their numbers in the feed.
	creates map[uint64]mapCreate
}

// mapCreate is a link that made a binding: its identity's holders, its Avatar, its entry.
type mapCreate struct {
	held   map[string]int
	avatar string
	index  int
}

func (m *mapState) apply(entry object) {
	index := m.size
	m.size++
	kind, avatar := text(entry, "kind"), text(entry, "avatar")
	if kind == "erased_link" {
		id, _ := sizeOf(entry["id"])
		// Another link may hold the identity by now.
		if made, isMade := m.creates[id]; isMade && made.held[made.avatar] == made.index {
			delete(made.held, made.avatar)
		}
	}
	if kind != "link" && kind != "kv" && !(isCountedKind(kind) && compressedForm.MatchString(avatar)) {
		return
	}
	state, isKnown := m.avatars[avatar]
	if !isKnown {
		state = object{"link": nil, "links": float64(0), "patch": nil, "patches": float64(0)}
		m.avatars[avatar] = state
	}
	newest, counter := kind, kind+"s"
	if kind == "kv" {
		newest, counter = "patch", "patches"
	}
	count, _ := state[counter].(float64)
	state[newest], state[counter] = float64(index), count+1
	if kind != "link" {
		return
	}
	key := string(decodeHex(text(entry, "identity_key")))
	if text(entry, "action") != "create" {
		delete(m.holders[key], avatar)
		return
	}
	if m.holders[key] == nil {
		m.holders[key] = map[string]int{}
	}
	m.holders[key][avatar] = index
	id, _ := sizeOf(entry["id"])
	m.creates[id] = mapCreate{m.holders[key], avatar, index}
}

func (m *mapState) root() []byte {
	var leaves []mapEnd
	for avatar, state := range m.avatars {
		leaves = append(leaves, mapEnd{avatarKey(avatar), valueHash(state)})
	}
	for key, held := range m.holders {
		if len(held) == 0 {
			continue
		}
		var holders []mapEnd
		for avatar, index := range held {
			holders = append(holders, mapEnd{holderKey(avatar), valueHash(object{"link": float64(index)})})
		}
		root := hex.EncodeToString(sortedRoot(holders))
		leaves = append(leaves, mapEnd{[]byte(key), valueHash(object{"holders": float64(len(held)), "root": root})})
	}
	return sortedRoot(leaves)
}

func valueHash(value object) []byte { return sha([]byte(canonical(value))) }

func sortedRoot(leaves []mapEnd) []byte {
	slices.SortFunc(leaves, func(a, b mapEnd) int { return bytes.Compare(a.key, b.key) })
	return mapRoot(leaves, 0)
}
