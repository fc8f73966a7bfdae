package main

// Proofs that links and patches are in the log (docs/verify.md, section 11).

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

type logProof struct {
	entry      []byte
	index      uint64
	hashes     [][]byte
	checkpoint *checkpoint
}

// readProof is the proof that a file holds, or nil.
func readProof(written string) *logProof {
	head, note, isCut := strings.Cut(written, "\n\n")
	lines := strings.Split(head, "\n")
	if !isCut || lines[0] != "c2sp.org/tlog-proof@v1" {
		return nil
	}
	proof, lines := &logProof{}, lines[1:]
	if len(lines) > 0 && strings.HasPrefix(lines[0], "extra ") {
		proof.entry = decodeBase64(strings.TrimPrefix(lines[0], "extra "))
		if proof.entry == nil {
			return nil
		}
		lines = lines[1:]
	}
	if len(lines) == 0 || len(lines) > 65 {
		return nil
	}
	digits, isIndex := strings.CutPrefix(lines[0], "index ")
	index, err := strconv.ParseUint(digits, 10, 53)
	if !isIndex || !decimal.MatchString(digits) || err != nil {
		return nil
	}
	proof.index = index
	for _, one := range lines[1:] {
		proof.hashes = append(proof.hashes, decodeBase64(one))
	}
	proof.checkpoint = readCheckpoint(note)
	if !areHashes(proof.hashes...) || proof.checkpoint == nil {
		return nil
	}
	return proof
}

// claim is what a proof is to be about.
type claim struct {
	kind   string
	item   object
	avatar string
}

// checkProof makes the steps of a proof file; the proof is nil where it cannot be read.
func checkProof(written string, about claim, p *policy, now uint64) (steps, *logProof, map[string]uint64) {
	var s steps
	proof := readProof(written)
	if !s.check("proof", proof != nil, "") {
		return s, nil, nil
	}
	entry := readEntry(proof.entry)
	s.check("entry", entry != nil && isEntryOf(entry, about.kind, about.item, about.avatar), "")
	head := proof.checkpoint
	isThere := proof.entry != nil && isIncluded(leafHash(proof.entry), proof.index, head.size, head.root, proof.hashes)
	s.check("inclusion", isThere, "")
	return s, proof, p.check(&s, head, now)
}

// checkExportLog makes the steps of the log of an export.
func checkExportLog(s *steps, file object, p *policy, now uint64) {
	log, isThere := file["log"]
	if !isThere {
		s.leaveOpen("logged", "")
		return
	}
	members, _ := log.(object)
	proofs, isProofs := members["proofs"].(object)
	written, isKey := members["verifier_key"].(string)
	for _, proof := range proofs {
		_, isText := proof.(string)
		isProofs = isProofs && isText
	}
	if !isProofs || !isKey {
		s.check("logged", false, "")
		return
	}
	if p == nil {
		key := readKey(written)
		if key == nil || key.kind != logKey {
			s.check("log_key", false, "")
			return
		}
		s.leaveOpen("log_key", key.name)
		p = &policy{logs: []*verifierKey{key}, quorum: "none"}
	}
	all := exportedProofs{roots: map[string]string{}, uuids: map[string]bool{}, areGood: true, areSeen: true, isOne: true}
	for _, link := range file["links"].([]any) {
		all.check(s, link, "link", proofs, text(file, "avatar"), p, now)
	}
	for _, patch := range file["patches"].([]any) {
		all.check(s, patch, "kv", proofs, text(file, "avatar"), p, now)
	}
	all.finish(s, proofs, p)
	if answer, isThere := members["map"]; isThere {
		all.checkComplete(s, file, answer, p, now)
	} else {
		s.leaveOpen("complete", "")
	}
}

// checkComplete makes the step complete: whether the map has more of the Avatar than the file.
func (e *exportedProofs) checkComplete(s *steps, file object, answer any, p *policy, now uint64) {
	var own steps
	read := checkMapAnswer(&own, answer, object{"avatar": text(file, "avatar")}, p, now)
	if !own.isGood() {
		s.check("complete", false, "")
		return
	}
	isNewer, key := false, p.logKeyOf(read.head)
	for _, head := range e.heads {
		if p.logKeyOf(head) != key || head.size == read.head.size && !bytes.Equal(head.root, read.head.root) {
			s.check("complete", false, "")
			return
		}
		isNewer = isNewer || head.size > read.head.size
	}
	value := read.value
	if value == nil {
		value = object{"link": nil, "links": float64(0), "patch": nil, "patches": float64(0)}
	}
	size, _ := sizeOf(read.entry["size"])
	links := len(file["links"].([]any))
	ofLinks := stateOf(e.places[:links], value, "links", "link", size)
	ofPatches := stateOf(e.places[links:], value, "patches", "patch", size)
	// Nothing is said of what came later.
	at, _ := sizeOf(read.entry["recorded_at"])
	where := fmt.Sprintf("at UNIX time %d", at)
	if ofLinks == failed || ofPatches == failed {
		s.check("complete", false, where)
	} else if ofLinks == open || ofPatches == open || isNewer {
		// Whoever has a proof of a newer tree head could have had a newer map.
		s.leaveOpen("complete", where)
	} else {
		s.check("complete", true, where)
	}
}

// place is where a link or patch is in the log, where a proof of it verifies. Of an erased one that of its erasure, which
// is behind the entry of the record.
type place struct {
	index             uint64
	isKnown, isErased bool
}

// stateOf tells whether these are the records that the map counts, and newer ones.
func stateOf(places []place, value object, what, newest string, size uint64) state {
	number, _ := sizeOf(value[what])
	count := int(number)
	if len(places) < count {
		return failed
	}
	result := ok
	for _, one := range places[count:] {
		if one.isKnown && one.index < size {
			return failed
		}
		if !one.isKnown {
			result = open
		}
	}
	// Signatures show the order of those whose texts are there; beside an erased one, only proofs show which are counted.
	hasErased, areInMap := false, true
	for _, one := range places[:count] {
		isInMap := one.isKnown && one.index < size
		if one.isKnown && !isInMap && !one.isErased {
			return failed
		}
		hasErased = hasErased || one.isErased
		areInMap = areInMap && isInMap
	}
	if hasErased && !areInMap {
		result = open
	}
	if count == 0 || places[count-1].isErased {
		return result
	}
	last := places[count-1]
	expected, isThere := sizeOf(value[newest])
	if last.isKnown && !(isThere && last.index == expected) {
		return failed
	}
	if !last.isKnown {
		return open
	}
	return result
}

// exportedProofs sums up what came of the proofs of one export.
type exportedProofs struct {
	items, proven           int
	uuids                   map[string]bool
	roots                   map[string]string // by origin and size
	heads                   []*checkpoint     // of proofs that verify
	areGood, areSeen, isOne bool
	places                  []place // of links and patches in their order
}

func (e *exportedProofs) check(s *steps, item any, kind string, proofs object, avatar string, p *policy, now uint64) {
	record, _ := item.(object)
	uuid, isText := record["uuid"].(string)
	e.items++
	e.places = append(e.places, place{isErased: isErased(record)})
	if isText {
		e.uuids[uuid] = true
	}
	written, isThere := proofs[uuid].(string)
	if !isText || !isThere {
		return
	}
	own, proof, _ := checkProof(written, claim{kind, record, avatar}, p, now)
	e.proven++
	e.areGood = e.areGood && own.isGood()
	e.areSeen = e.areSeen && slices.Contains(own, step{"witnesses", ok, ""})
	for _, one := range own {
		if one.state == failed && one.name != "witnesses" {
			s.check(one.name, false, uuid)
		}
	}
	if !own.isGood() {
		return
	}
	e.places[len(e.places)-1].index, e.places[len(e.places)-1].isKnown = proof.index, true
	head := proof.checkpoint
	e.heads = append(e.heads, head)
	at := fmt.Sprintf("%d %s", head.size, head.origin)
	if root, isKnown := e.roots[at]; isKnown && root != string(head.root) {
		e.isOne = false
	}
	e.roots[at] = string(head.root)
}

func (e *exportedProofs) finish(s *steps, proofs object, p *policy) {
	isKnown := true
	for uuid := range proofs {
		isKnown = isKnown && e.uuids[uuid]
	}
	if isKnown && e.areGood && e.proven < e.items {
		s.leaveOpen("logged", fmt.Sprintf("%d of %d", e.proven, e.items))
	} else {
		s.check("logged", isKnown && e.areGood, "")
	}
	s.check("log_history", e.isOne, "")
	if e.proven > 0 && p.quorum == "none" {
		s.leaveOpen("witnesses", "")
	} else if e.proven > 0 {
		s.check("witnesses", e.areSeen, "")
	}
}
