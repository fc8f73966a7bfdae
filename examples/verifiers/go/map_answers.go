package main

// Answers of GET /v1/log/map (docs/verify.md, section 13).

import (
	"bytes"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
)

// mapProof is a proof as an answer has it.
type mapProof struct {
	siblings [][]byte
	end      *mapEnd
}

// mapHolder is what an answer says of one Avatar that may hold an identity; value is nil where it does not.
type mapHolder struct {
	value object
	proof *mapProof
}

// mapAnswer is an answer whose shape is right. holders is nil where it names none.
type mapAnswer struct {
	key      []byte
	value    object
	proof    *mapProof
	holders  []any
	holder   *mapHolder
	logProof string
	head     *checkpoint
	entry    object
}

// mostNamed: an answer may name no holders where there are more than these.
const mostNamed = 1000

var compressedForm = regexp.MustCompile("^0x0[23][0-9a-f]{64}$")

// hashIn is the hash that a value of JSON spells, or nil.
func hashIn(value any) []byte {
	written, _ := value.(string)
	if !hashDigits.MatchString(written) {
		return nil
	}
	return decodeHex(written)
}

func isCount(value any) bool {
	_, isSize := sizeOf(value)
	return isSize
}

func hasMembers(value object, names ...string) bool {
	for _, name := range names {
		if _, isThere := value[name]; !isThere {
			return false
		}
	}
	return len(value) == len(names)
}

func readMapProof(value any) *mapProof {
	members, _ := value.(object)
	list, isList := members["siblings"].([]any)
	last, isThere := members["end"]
	if !isList || !isThere {
		return nil
	}
	proof := &mapProof{}
	for _, one := range list {
		sibling := hashIn(one)
		if sibling == nil {
			return nil
		}
		proof.siblings = append(proof.siblings, sibling)
	}
	if last == nil {
		return proof
	}
	leaf, _ := last.(object)
	proof.end = &mapEnd{hashIn(leaf["key"]), hashIn(leaf["value_hash"])}
	if proof.end.key == nil || proof.end.valueHash == nil {
		return nil
	}
	return proof
}

func isMapValue(value object, isOfIdentity bool) bool {
	if isOfIdentity {
		return hasMembers(value, "holders", "root") && isCount(value["holders"]) && hashIn(value["root"]) != nil
	}
	isGood := isCount(value["links"]) && isCount(value["patches"])
	for _, place := range []string{"link", "patch"} {
		newest, isThere := value[place]
		isGood = isGood && isThere && (newest == nil || isCount(newest))
	}
	for member, number := range value {
		if slices.Contains([]string{"link", "links", "patch", "patches"}, member) {
			continue
		}
		// Of each kind that a later version counts: the newest entry, and how many.
		kind := strings.TrimSuffix(member, "s")
		_, hasNewest := value[kind]
		_, hasCount := value[kind+"s"]
		isGood = isGood && isCountedKind(kind) && hasNewest && hasCount && isCount(number)
	}
	return isGood
}

// readMapAnswer reads an answer; nil for other shapes.
func readMapAnswer(given any, question object) *mapAnswer {
	_, isOfIdentity := question["platform"]
	_, isOfOne := question["avatar"]
	answer, _ := given.(object)
	written, isWritten := answer["log_proof"].(string)
	value, isThere := answer["value"]
	read := &mapAnswer{key: hashIn(answer["key"]), proof: readMapProof(answer["proof"]), logProof: written}
	if read.key == nil || read.proof == nil || !isWritten || !isThere {
		return nil
	}
	if value != nil {
		read.value, _ = value.(object)
		if !isMapValue(read.value, isOfIdentity) {
			return nil
		}
	}
	if answer["holders"] != nil {
		holders, isList := answer["holders"].([]any)
		for _, one := range holders {
			holder, _ := one.(object)
			isNamed := hasMembers(holder, "avatar", "link") && compressedForm.MatchString(text(holder, "avatar"))
			isList = isList && isNamed && isCount(holder["link"])
		}
		if !isList || !isOfIdentity || isOfOne {
			return nil
		}
		read.holders = holders
	}
	if answer["holder"] != nil {
		members, _ := answer["holder"].(object)
		ofOne, isThere := members["value"]
		read.holder = &mapHolder{proof: readMapProof(members["proof"])}
		if ofOne != nil {
			read.holder.value, _ = ofOne.(object)
			isThere = hasMembers(read.holder.value, "link") && isCount(read.holder.value["link"])
		}
		if !isOfIdentity || !isOfOne || !isThere || read.holder.proof == nil {
			return nil
		}
	}
	return read
}

// checkMapAnswer makes the steps of an answer to a question; nil where it cannot be read.
func checkMapAnswer(s *steps, given any, question object, p *policy, now uint64) *mapAnswer {
	_, isOfIdentity := question["platform"]
	read := readMapAnswer(given, question)
	if read == nil {
		s.check("map_answer", false, "")
		return nil
	}
	ofLog := readProof(read.logProof)
	if !s.check("proof", ofLog != nil, "") {
		return nil
	}
	head := ofLog.checkpoint
	read.head = head
	read.entry = readMapEntry(ofLog.entry)
	s.check("map_entry", read.entry != nil, "")
	s.check("map_last", head.size > 0 && ofLog.index == head.size-1, "")
	if read.entry != nil {
		size, _ := sizeOf(read.entry["size"])
		s.check("map_size", size == ofLog.index, "")
	}
	isThere := ofLog.entry != nil && isIncluded(leafHash(ofLog.entry), ofLog.index, head.size, head.root, ofLog.hashes)
	s.check("inclusion", isThere, "")
	p.check(s, head, now)
	avatar, isOfOne := question["avatar"].(string)
	key := avatarKey(avatar)
	if isOfIdentity {
		key = identityKey(text(question, "platform"), text(question, "identity"))
	}
	s.check("map_key", bytes.Equal(read.key, key), "")
	if read.entry == nil {
		return read
	}
	root := decodeHex(text(read.entry, "root"))
	size, _ := read.entry["size"].(float64)
	if !checkMapValue(s, "map_proof", "map_value", read.value, read.proof, key, root, size) || !isOfIdentity {
		return read
	}
	switch {
	case isOfOne && (read.value == nil || read.holder == nil):
		s.check("map_holder", read.value == nil && read.holder == nil, "")
	case isOfOne:
		tree := decodeHex(text(read.value, "root"))
		checkMapValue(s, "map_holder", "map_holder", read.holder.value, read.holder.proof, holderKey(avatar), tree, size)
	case read.holders == nil:
		count, _ := sizeOf(read.value["holders"])
		s.check("map_holders", count > mostNamed, "")
	default:
		s.check("map_holders", areAllHolders(read.holders, read.value, size), "")
	}
	return read
}

// isLater tells whether a value names an entry that is not among the ones that the map is about.
func isLater(value object, size float64) bool {
	for name, member := range value {
		entry, isNumber := member.(float64)
		if isNumber && !strings.HasSuffix(name, "s") && entry >= size {
			return true
		}
	}
	return false
}

// checkMapValue tells whether the proof shows this value, or with nil that there is none.
func checkMapValue(
	s *steps, proofStep, valueStep string, value object, proof *mapProof, key, root []byte, size float64,
) bool {
	proven, isShown := provenValue(root, key, proof.siblings, proof.end)
	if !isShown {
		return s.check(proofStep, false, "")
	}
	isSame := proven == nil
	if value != nil {
		isSame = proven != nil && bytes.Equal(proven, valueHash(value)) && !isLater(value, size)
	}
	return s.check(valueStep, isSame, "")
}

func areAllHolders(holders []any, value object, size float64) bool {
	leaves := map[string]mapEnd{}
	areAll := true
	for _, one := range holders {
		holder := one.(object)
		areAll = areAll && !isLater(holder, size)
		avatar := text(holder, "avatar")
		leaves[avatar] = mapEnd{holderKey(avatar), valueHash(object{"link": holder["link"]})}
	}
	count, root := float64(0), hex.EncodeToString(make([]byte, 32))
	if value != nil {
		count, root = value["holders"].(float64), text(value, "root")
	}
	var list []mapEnd
	for _, leaf := range leaves {
		list = append(list, leaf)
	}
	isNumber := float64(len(holders)) == count && len(leaves) == len(holders)
	return areAll && isNumber && hex.EncodeToString(sortedRoot(list)) == root
}

// orNone is nil for no value, which JSON writes as null.
func orNone(value object) any {
	if value == nil {
		return nil
	}
	return value
}
