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

// claim is what a proof is to be about: a link or patch, and of an erased one perhaps which of its entries.
type claim struct {
	kind   string
	item   object
	avatar string
	about  int
}

// checkProof makes the steps of a proof file; the proof is nil where it cannot be read.
func checkProof(written string, about claim, p *policy, now uint64) (steps, *logProof, map[string]uint64) {
	var s steps
	proof := readProof(written)
	if !s.check("proof", proof != nil, "") {
		return s, nil, nil
	}
	entry := readEntry(proof.entry)
	s.check("entry", entry != nil && isEntryOf(entry, about.kind, about.item, about.avatar, about.about), "")
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
	proofs, isProofs := textsIn(members["proofs"])
	erasures, isErasures := laterTextsIn(members, "erasures")
	ofKeys, isOfKeys := laterTextsIn(members, "key_proofs")
	written, isKey := members["verifier_key"].(string)
	if !isProofs || !isErasures || !isOfKeys || !isKey {
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
	all := exportedProofs{
		proofs: proofs, erasures: erasures, ofKeys: ofKeys, gone: map[string]bool{},
		uuids: map[string]bool{}, keyUUIDs: map[string]bool{}, places: map[string][]place{}, roots: map[string]string{}, areGood: true, areSeen: true, isOne: true,
	}
	for _, link := range file["links"].([]any) {
		all.check(s, link, "link", text(file, "avatar"), p, now)
	}
	for _, patch := range file["patches"].([]any) {
		all.check(s, patch, "kv", text(file, "avatar"), p, now)
	}
	keys, _ := file["keys"].([]any)
	for _, key := range keys {
		all.check(s, key, "key", text(file, "avatar"), p, now)
	}
	all.finish(s, p)
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
	// Nothing is said of what came later.
	at, _ := sizeOf(read.entry["recorded_at"])
	where := fmt.Sprintf("at UNIX time %d", at)
	if _, hasKeys := file["keys"]; !hasKeys && numberOf(value, "keys") > 0 {
		s.leaveOpen("complete", where) // written by a program before 0.3.0, which knows no key events
		return
	}
	states := []state{
		stateOf(e.places["link"], value, "links", "link", size),
		stateOf(e.places["kv"], value, "patches", "patch", size),
		stateOf(e.places["key"], value, "keys", "key", size),
	}
	if slices.Contains(states, failed) {
		s.check("complete", false, where)
	} else if slices.Contains(states, open) || isNewer {
		// Whoever has a proof of a newer tree head could have had a newer map.
		s.leaveOpen("complete", where)
	} else {
		s.check("complete", true, where)
	}
}

// laterTextsIn is textsIn of a member that need not be there.
func laterTextsIn(members object, member string) (object, bool) {
	given, isThere := members[member]
	if !isThere {
		return object{}, true
	}
	return textsIn(given)
}

// textsIn is an object of texts, and whether the value is one.
func textsIn(value any) (object, bool) {
	members, isObject := value.(object)
	for _, member := range members {
		_, isText := member.(string)
		isObject = isObject && isText
	}
	return members, isObject
}

// place is where a link or patch is in a log, where a proof of its entry verifies.
type place struct {
	origin            string
	index             uint64
	isKnown, isErased bool
}

// areInOrder tells whether the entries of links, or of patches, stand in each log in the order of the file.
func areInOrder(places []place) bool {
	next := map[string]uint64{}
	for _, one := range places {
		if !one.isKnown {
			continue
		}
		if one.index < next[one.origin] {
			return false
		}
		next[one.origin] = one.index + 1
	}
	return true
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
	hasErased, areKnown := false, true
	for _, one := range places[:count] {
		if one.isKnown && one.index >= size {
			return failed
		}
		hasErased = hasErased || one.isErased
		areKnown = areKnown && one.isKnown
	}
	if hasErased && !areKnown {
		result = open
	}
	if count == 0 {
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
	proofs, erasures        object
	ofKeys                  object // proofs of key events
	missing, proven         int
	uuids, gone, keyUUIDs   map[string]bool   // of all links and patches, of erased ones, and of key events
	roots                   map[string]string // by origin and size
	heads                   []*checkpoint     // of proofs that verify
	areGood, areSeen, isOne bool
	places                  map[string][]place // of records in their order, by their kinds
}

func (e *exportedProofs) check(s *steps, item any, kind, avatar string, p *policy, now uint64) {
	record, _ := item.(object)
	uuid, isText := record["uuid"].(string)
	e.places[kind] = append(e.places[kind], place{isErased: isErased(record)})
	proofs, uuids := e.proofs, e.uuids
	if kind == "key" {
		proofs, uuids = e.ofKeys, e.keyUUIDs
	}
	if isText {
		uuids[uuid] = true
		e.gone[uuid] = e.gone[uuid] || isErased(record)
	}
	if proof := e.checkOne(s, proofs, uuid, claim{kind, record, avatar, ownEntry}, p, now); proof != nil {
		own := &e.places[kind][len(e.places[kind])-1]
		own.origin, own.index, own.isKnown = proof.checkpoint.origin, proof.index, true
	}
	if isErased(record) {
		e.checkOne(s, e.erasures, uuid, claim{kind, record, avatar, erasureEntry}, p, now)
	}
}

// checkOne checks one proof of an item, which is nil where there is none, or none that verifies.
func (e *exportedProofs) checkOne(s *steps, named object, uuid string, about claim, p *policy, now uint64) *logProof {
	_, isText := about.item["uuid"].(string)
	written, isThere := named[uuid].(string)
	if !isText || !isThere {
		e.missing++
		return nil
	}
	own, proof, _ := checkProof(written, about, p, now)
	e.proven++
	e.areGood = e.areGood && own.isGood()
	e.areSeen = e.areSeen && slices.Contains(own, step{"witnesses", ok, ""})
	for _, one := range own {
		if one.state == failed && one.name != "witnesses" {
			s.check(one.name, false, uuid)
		}
	}
	if !own.isGood() {
		return nil
	}
	head := proof.checkpoint
	e.heads = append(e.heads, head)
	at := fmt.Sprintf("%d %s", head.size, head.origin)
	if root, isKnown := e.roots[at]; isKnown && root != string(head.root) {
		e.isOne = false
	}
	e.roots[at] = string(head.root)
	return proof
}

// finish makes the steps about all proofs.
func (e *exportedProofs) finish(s *steps, p *policy) {
	isGood := e.areGood
	for _, places := range e.places {
		isGood = isGood && areInOrder(places)
	}
	for uuid := range e.ofKeys {
		isGood = isGood && e.keyUUIDs[uuid]
	}
	for uuid := range e.proofs {
		isGood = isGood && e.uuids[uuid]
	}
	for uuid := range e.erasures {
		isGood = isGood && e.gone[uuid]
	}
	if isGood && e.missing > 0 {
		s.leaveOpen("logged", fmt.Sprintf("%d are missing", e.missing))
	} else {
		s.check("logged", isGood, "")
	}
	s.check("log_history", e.isOne, "")
	if e.proven > 0 && p.quorum == "none" {
		s.leaveOpen("witnesses", "")
	} else if e.proven > 0 {
		s.check("witnesses", e.areSeen, "")
	}
}
