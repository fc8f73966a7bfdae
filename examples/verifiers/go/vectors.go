package main

// What this verifier says of the vectors (vectors/README.md).

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func accepted(facts object) object {
	result := object{"ok": true, "reasons": []any{}, "not_checkable": []any{}}
	maps.Copy(result, facts)
	return result
}

func refused(reason string) object {
	return object{"ok": false, "reasons": []any{reason}, "not_checkable": []any{}}
}

func resultOf(s steps, facts object) object {
	result := object{"ok": s.isGood(), "reasons": listOf(s.named(failed)), "not_checkable": listOf(s.named(open))}
	if s.isGood() {
		maps.Copy(result, facts)
	}
	return result
}

func listOf(names []string) []any {
	list := make([]any, len(names))
	for i, one := range names {
		list[i] = one
	}
	return list
}

// nowOf is the time of a vector, or the end of time.
func nowOf(vector object) uint64 {
	if now, isThere := sizeOf(vector["now"]); isThere {
		return now
	}
	return math.MaxInt64
}

func avatarOf(vector object) *string {
	if avatar, isThere := vector["avatar"].(string); isThere {
		return &avatar
	}
	return nil
}

func policyOf(vector object) *policy {
	written, isThere := vector["policy"].(string)
	if !isThere {
		return nil
	}
	p, err := newPolicy(written)
	if err != nil {
		panic(err)
	}
	return p
}

func judgeKey(vector object) object {
	without0x, _ := vector["without_0x"].(bool)
	key, problem := parseKey(text(vector, "text"), without0x)
	if problem != "" {
		return refused(problem)
	}
	compressed, uncompressed := keyText(key.SerializeCompressed()), keyText(key.SerializeUncompressed())
	return accepted(object{"compressed": compressed, "uncompressed": uncompressed, "address": addressOf(key)})
}

func judgePayload(vector object) object {
	fields := parseObject(text(vector, "fields_json"))
	if fields == nil {
		return refused("json")
	}
	signed := object{"action": "kv"}
	names := []string{"avatar", "created_at", "identity", "platform", "prev", "uuid"}
	names = append(names, map[string]string{"link": "action", "patch": "patch"}[text(vector, "kind")])
	for _, member := range names {
		signed[member] = fields[member]
	}
	payload := canonical(signed)
	digest := hex.EncodeToString(personalDigest(payload))
	return accepted(object{"text": payload, "rewritten": rewritten(signed), "digest": digest})
}

func judgeSignature(vector object) object {
	written := text(vector, "signature")
	signature := decodeBase64(written)
	if digits, isHex := strings.CutPrefix(written, "0x"); isHex {
		signature = decodeHex(digits)
	}
	if _, isSignature := parseSignature(signature); !isSignature {
		return refused("signature_form")
	}
	if recoverSigner(text(vector, "text"), signature) != vector["avatar"] {
		return refused("signature")
	}
	return accepted(object{"stored": base64.StdEncoding.EncodeToString(signature)})
}

func judgeWallet(vector object) object {
	var s steps
	extra, _ := vector["extra"].(object)
	checkWallet(&s, text(vector, "platform"), text(vector, "identity"), text(vector, "text"), extra, "")
	return resultOf(s, nil)
}

func judgeBip340(vector object) object {
	message, signature := decodeHex(text(vector, "message")), decodeHex(text(vector, "signature"))
	if !isBip340Signature(message, signature, decodeHex(text(vector, "public_key"))) {
		return refused("signature")
	}
	return accepted(nil)
}

func judgeChain(vector object) object {
	var s steps
	chain := checkLinks(&s, vector["links"].([]any), avatarOf(vector))
	leaveOpenWhereEmpty(&s, vector["links"].([]any), avatarOf(vector))
	uuids := []any{}
	for _, at := range chain.order {
		uuids = append(uuids, chain.bindings[at]["uuid"])
	}
	return resultOf(s, object{"avatar": chain.avatar, "bindings": uuids})
}

func judgePatchChain(vector object) object {
	var s steps
	avatar, entries := checkPatches(&s, vector["patches"].([]any), avatarOf(vector), nil)
	leaveOpenWhereEmpty(&s, vector["patches"].([]any), avatarOf(vector))
	return resultOf(s, object{"avatar": avatar, "entries": entries})
}

func judgeKeyEvents(vector object) object {
	var s steps
	events, now := vector["events"].([]any), numberOf(vector, "now")
	chain := checkKeys(&s, events, avatarOf(vector))
	leaveOpenWhereEmpty(&s, events, avatarOf(vector))
	if !s.isGood() {
		return resultOf(s, nil)
	}
	found := stateAt(events, now)
	state := object{
		"app_keys": listOf(found.liveAppKeys(now)), "recovery": listOf(found.recovery()), "pending": []any{},
		"frozen_until": nil, "is_frozen": found.isFrozen(), "successor": nil,
	}
	for _, one := range []*begun{found.pendingCommit, found.pendingSuccession} {
		if one != nil {
			state["pending"] = append(state["pending"].([]any), one.event)
		}
	}
	if found.frozen != nil {
		state["frozen_until"] = found.frozen.dueAt
	}
	if found.succession != nil {
		state["successor"] = found.succession.successor
	}
	return resultOf(s, object{"avatar": chain.avatar, "state": state})
}

func judgeAppPatches(vector object) object {
	var s steps
	signers := newPatchSigners(vector["events"].([]any), nil)
	avatar, entries := checkPatches(&s, vector["patches"].([]any), nil, signers)
	return resultOf(s, object{"avatar": avatar, "entries": entries})
}

func judgeHolds(vector object) object {
	var s steps
	lists := [3][]any{}
	for i, name := range []string{"events", "links", "patches"} {
		lists[i], _ = vector[name].([]any)
	}
	checkHolds(&s, lists[0], lists[1], lists[2], numberOf(vector, "now"))
	return resultOf(s, nil)
}

func judgeMergePatch(vector object) object {
	target, _ := parseJSON(text(vector, "target_json"))
	patch, _ := parseJSON(text(vector, "patch_json"))
	return accepted(object{"result": canonical(mergePatch(target, patch))})
}

func judgeEvidence(vector object) object {
	found := findEvidence(text(vector, "text"), text(vector, "payload"), text(vector, "avatar"))
	if found == "" {
		return refused("evidence")
	}
	return accepted(object{"signature": found})
}

func judgeArchive(vector object) object {
	var s steps
	avatar := checkDocuments(&s, vector["documents"].([]any))
	return resultOf(s, object{"avatar": avatar})
}

func judgeDataItem(vector object) object {
	var s steps
	told, _ := vector["told"].(object)
	message := checkDataItem(&s, text(vector, "item_id"), text(vector, "data"), told)
	return resultOf(s, object{"message": hex.EncodeToString(message)})
}

func judgeLogEntry(vector object) object {
	kind := text(vector, "kind")
	if kind == "bytes" {
		encoded := decodeBase64(text(vector, "entry_base64"))
		facts := object{"leaf_hash": hex.EncodeToString(leafHash(encoded))}
		other := readOtherEntry(encoded)
		if other != nil {
			facts["other_kind"] = other["kind"]
		} else if readEntry(encoded) == nil {
			return refused("entry")
		}
		return accepted(facts)
	}
	item := vector["item"].(object)
	entry := writeEntry(kind, item, vector["recorded_at"])
	leaf := hex.EncodeToString(leafHash([]byte(entry)))
	return accepted(object{"entry": entry, "record": recordOf(kind, item), "leaf_hash": leaf})
}

func judgeTree(vector object) object {
	var proof [][]byte
	for _, hash := range vector["hashes"].([]any) {
		proof = append(proof, decodeHex(hash.(string)))
	}
	hash := func(member string) []byte { return decodeHex(text(vector, member)) }
	isGood := false
	if vector["proof_of"] == "inclusion" {
		index, isIndex := sizeOf(vector["index"])
		size, isSize := sizeOf(vector["size"])
		isGood = isIndex && isSize && isIncluded(hash("leaf_hash"), index, size, hash("root"), proof)
	} else {
		size1, isOne := sizeOf(vector["size1"])
		size2, isTwo := sizeOf(vector["size2"])
		isGood = isOne && isTwo && isConsistent(size1, hash("root1"), size2, hash("root2"), proof)
	}
	if !isGood {
		return refused(text(vector, "proof_of"))
	}
	return accepted(nil)
}

func judgeMap(vector object) object {
	switch text(vector, "kind") {
	case "history":
		return judgeHistory(vector["entries"].([]any))
	case "answer":
		var s steps
		question := vector["question"].(object)
		read := checkMapAnswer(&s, vector["answer"], question, policyOf(vector), nowOf(vector))
		if read == nil {
			return resultOf(s, nil)
		}
		facts := object{"value": orNone(read.value), "holders": nil, "holder": nil}
		if read.entry != nil {
			facts["size"] = read.entry["size"]
		}
		if read.holders != nil {
			facts["holders"] = read.holders
		}
		if read.holder != nil {
			facts["holder"] = orNone(read.holder.value)
		}
		return resultOf(s, facts)
	case "entry":
		entry := readMapEntry(decodeBase64(text(vector, "entry_base64")))
		if entry == nil {
			return refused("map_entry")
		}
		return accepted(object{"recorded_at": entry["recorded_at"], "root": entry["root"], "size": entry["size"]})
	}
	var siblings [][]byte
	for _, sibling := range vector["siblings"].([]any) {
		siblings = append(siblings, decodeHex(sibling.(string)))
	}
	var end *mapEnd
	if leaf, isLeaf := vector["end"].(object); isLeaf {
		end = &mapEnd{decodeHex(text(leaf, "key")), decodeHex(text(leaf, "value_hash"))}
	}
	value, isShown := provenValue(decodeHex(text(vector, "root")), decodeHex(text(vector, "key")), siblings, end)
	if !isShown {
		return refused("map_proof")
	}
	if value == nil {
		return accepted(object{"value_hash": nil})
	}
	return accepted(object{"value_hash": hex.EncodeToString(value)})
}

func judgeHistory(entries []any) object {
	state := mapState{avatars: map[string]object{}, holders: map[string]map[string]int{}, creates: map[uint64]mapCreate{}}
	roots := []any{}
	for _, one := range entries {
		entry := one.(object)
		if entry["kind"] == "map" {
			roots = append(roots, hex.EncodeToString(state.root()))
		}
		state.apply(entry)
	}
	return accepted(object{"roots": roots})
}

func judgeVerifierKey(vector object) object {
	key := readKey(text(vector, "text"))
	if key == nil {
		return refused("verifier_key")
	}
	public := hex.EncodeToString(key.public)
	return accepted(object{"name": key.name, "key_id": key.id, "type": float64(key.kind), "public_key": public})
}

func judgePolicy(vector object) object {
	if _, err := newPolicy(text(vector, "policy")); err != nil {
		return refused("policy")
	}
	return accepted(nil)
}

func judgeCheckpoint(vector object) object {
	head := readCheckpoint(text(vector, "note"))
	if head == nil {
		return refused("checkpoint")
	}
	var s steps
	cosigned := object{}
	for witness, time := range policyOf(vector).check(&s, head, nowOf(vector)) {
		cosigned[witness] = float64(time)
	}
	root := hex.EncodeToString(head.root)
	return resultOf(s, object{"origin": head.origin, "size": float64(head.size), "root": root, "cosigned": cosigned})
}

func judgeProof(vector object) object {
	about := claim{kind: text(vector, "kind"), item: vector["item"].(object)}
	about.avatar = ownerOf(about.item)
	if avatar := avatarOf(vector); avatar != nil {
		about.avatar = *avatar
	}
	s, proof, _ := checkProof(text(vector, "proof"), about, policyOf(vector), nowOf(vector))
	if proof == nil {
		return resultOf(s, nil)
	}
	head := proof.checkpoint
	return resultOf(s, object{"index": float64(proof.index), "origin": head.origin, "size": float64(head.size)})
}

func judgeReceipt(vector object) object {
	var s steps
	var about *claim
	if item, isThere := vector["item"].(object); isThere {
		about = &claim{kind: text(vector, "kind"), item: item, avatar: ownerOf(item)}
		if avatar := avatarOf(vector); avatar != nil {
			about.avatar = *avatar
		}
	}
	var proof *string
	if shown, isThere := vector["proof"].(string); isThere {
		proof = &shown
	}
	r := checkReceipt(&s, text(vector, "receipt"), about, proof, policyOf(vector), nowOf(vector))
	if r == nil {
		return resultOf(s, nil)
	}
	facts := object{}
	for name, value := range r.fields {
		facts[name] = value
	}
	facts["time"], facts["deadline"] = float64(r.time), float64(r.deadline)
	return resultOf(s, facts)
}

func judgeNextLog(vector object) object {
	said := readNextLog(text(vector, "note"), readKey(text(vector, "key")))
	if said == nil {
		return refused("next_log")
	}
	return accepted(object{"log": said.log, "next": said.next, "time": float64(said.time)})
}

func judgeSeenStatement(vector object) object {
	read := readStatement(text(vector, "note"))
	if read == nil {
		return refused("statement")
	}
	time, isSigned := read.seenAt(readKey(text(vector, "key")))
	if !isSigned {
		return refused("seen_signature")
	}
	facts := object{"link": read.link, "platform": read.platform, "identity": read.identity}
	facts["account"], facts["seen"], facts["time"] = orNull(read.account), read.seen, float64(time)
	return accepted(facts)
}

func judgeObservers(vector object) object {
	list, err := newObservers(text(vector, "observers"))
	if err != nil {
		return refused("observers")
	}
	names := []any{}
	for _, one := range list.list {
		names = append(names, one.operator)
	}
	return accepted(object{"names": names, "needed": list.neededOrNull()})
}

func judgeQuorum(vector object) object {
	list, err := newObservers(text(vector, "observers"))
	if err != nil {
		panic(err)
	}
	binding := vector["binding"].(object)
	about := boundAccount{link: text(binding, "link"), platform: text(binding, "platform"), identity: text(binding, "identity")}
	if known, isThere := binding["account"]; isThere {
		account, _ := known.(string)
		about.account = &account
	}
	verdict := judgeSeen(vector["notes"].([]any), about, list, nowOf(vector))
	states := object{}
	for name, view := range verdict.views {
		states[name] = view.state
	}
	facts := object{"result": verdict.result, "count": float64(verdict.count), "of": float64(len(list.list))}
	facts["needed"], facts["account"], facts["states"] = list.neededOrNull(), orNull(verdict.account), states
	facts["last_at"] = nil
	if verdict.lastAt > 0 {
		facts["last_at"] = float64(verdict.lastAt)
	}
	return accepted(facts)
}

func orNull(written string) any {
	if written == "" {
		return nil
	}
	return written
}

func judgeExport(vector object, folder string) (object, error) {
	written, isText := vector["text"].(string)
	if !isText {
		content, err := os.ReadFile(filepath.Join(folder, text(vector, "file")))
		if err != nil {
			return nil, err
		}
		file, err := parseJSON(string(content))
		if err != nil {
			return nil, err
		}
		for _, change := range vector["changes"].([]any) {
			file = applyChange(file, change.(object))
		}
		written = canonical(file)
	}
	var o *observers
	if listed, isThere := vector["observers"].(string); isThere {
		var err error
		if o, err = newObservers(listed); err != nil {
			return nil, err
		}
	}
	var s steps
	checkExport(&s, written, policyOf(vector), o, nowOf(vector))
	return resultOf(s, nil), nil
}

// applyChange is one operation of JSON Patch (RFC 6902).
func applyChange(document any, change object) any {
	value := change["value"]
	op := text(change, "op")
	if from, isThere := change["from"].(string); isThere {
		document = edit(document, pointer(from), func(parent any, last string) any {
			if list, isList := parent.([]any); isList {
				value = list[indexOf(last)]
				if op == "move" {
					return slices.Delete(slices.Clone(list), indexOf(last), indexOf(last)+1)
				}
			}
			return parent
		})
	}
	return edit(document, pointer(text(change, "path")), func(parent any, last string) any {
		list, isList := parent.([]any)
		switch {
		case isList && op == "remove":
			return slices.Delete(slices.Clone(list), indexOf(last), indexOf(last)+1)
		case isList && op == "replace":
			list[indexOf(last)] = value
			return list
		case isList:
			return slices.Insert(slices.Clone(list), indexOf(last), value)
		case op == "remove":
			delete(parent.(object), last)
		default:
			parent.(object)[last] = value
		}
		return parent
	})
}

func pointer(path string) []string {
	names := strings.Split(path, "/")[1:]
	for i, one := range names {
		names[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(one)
	}
	return names
}

// edit gives the parent of what the names lead to, and its last name, to change, and puts in place what that answers.
func edit(value any, names []string, change func(parent any, last string) any) any {
	if len(names) == 1 {
		return change(value, names[0])
	}
	switch container := value.(type) {
	case object:
		container[names[0]] = edit(container[names[0]], names[1:], change)
	case []any:
		container[indexOf(names[0])] = edit(container[indexOf(names[0])], names[1:], change)
	}
	return value
}

func indexOf(name string) int {
	index, err := strconv.Atoi(name)
	if err != nil {
		panic(err)
	}
	return index
}

var judges = map[string]func(object) object{
	"keys.json":            judgeKey,
	"payloads.json":        judgePayload,
	"signatures.json":      judgeSignature,
	"wallets.json":         judgeWallet,
	"bip340.json":          judgeBip340,
	"chains.json":          judgeChain,
	"patch-chains.json":    judgePatchChain,
	"key-events.json":      judgeKeyEvents,
	"holds.json":           judgeHolds,
	"app-patches.json":     judgeAppPatches,
	"merge-patches.json":   judgeMergePatch,
	"evidence.json":        judgeEvidence,
	"archive.json":         judgeArchive,
	"data-items.json":      judgeDataItem,
	"log-entries.json":     judgeLogEntry,
	"trees.json":           judgeTree,
	"maps.json":            judgeMap,
	"verifier-keys.json":   judgeVerifierKey,
	"policies.json":        judgePolicy,
	"checkpoints.json":     judgeCheckpoint,
	"proofs.json":          judgeProof,
	"receipts.json":        judgeReceipt,
	"next-logs.json":       judgeNextLog,
	"exports.json":         nil,
	"seen-statements.json": judgeSeenStatement,
	"observers.json":       judgeObservers,
	"seen.json":            judgeQuorum,
}

// checkFolder answers the number of vectors, and a sentence for each on which this verifier says otherwise.
func checkFolder(folder string) (int, []string, error) {
	count := 0
	var differences []string
	for _, file := range slices.Sorted(maps.Keys(judges)) {
		content, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			return count, nil, err
		}
		read := parseObject(string(content))
		if read == nil {
			return count, nil, fmt.Errorf("%s is not JSON", file)
		}
		for _, one := range read["vectors"].([]any) {
			vector := one.(object)
			count++
			seen, err := judge(file, vector, folder)
			if err != nil {
				return count, nil, err
			}
			if said, expected := canonical(seen), canonical(vector["expected"]); said != expected {
				differences = append(differences, fmt.Sprintf("%s %s: expected %s, and saw %s", file, vector["id"], expected, said))
			}
		}
	}
	return count, differences, nil
}

func judge(file string, vector object, folder string) (object, error) {
	if file == "exports.json" {
		return judgeExport(vector, folder)
	}
	return judges[file](vector), nil
}
