package main

// Key events: who signed them, their chain, and which keys of apps may sign patches (docs/verify.md, section 15).

import (
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var (
	recoveryKey  = regexp.MustCompile(`^(?:key:[0-9a-f]{64}|eip155:0x[0-9a-f]{40})$`)
	uuidForm     = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	keyTexts     = []string{"action", "uuid", "signer", "signature", "signature_payload"}
	keyNumbers   = []string{"created_at", "recorded_at", "due_at", "links", "patches"}
	keyStatement = map[string][]string{
		"key.commit":  {"delay_hours", "recovery"},
		"key.freeze":  {},
		"key.thaw":    {},
		"key.succeed": {"since_link", "since_patch", "successor"},
		"key.veto":    {"event"},
		"key.add":     {"expires_at", "key", "origin", "scopes"},
		"key.revoke":  {"key"},
	}
)

// isListOf tells whether a value is a list of 1 to most such texts, each once.
func isListOf(value any, most int, isItem func(string) bool) bool {
	list, _ := value.([]any)
	texts := textsOf(value)
	if len(list) < 1 || len(list) > most || len(texts) != len(list) {
		return false
	}
	seen := map[string]bool{}
	for _, one := range texts {
		if seen[one] || !isItem(one) {
			return false
		}
		seen[one] = true
	}
	return true
}

func fits(form *regexp.Regexp, value any) bool {
	written, isText := value.(string)
	return isText && form.MatchString(written)
}

func hasKeyFields(action string, value any) bool {
	fields, isObject := value.(object)
	names, isKnown := keyStatement[action]
	if !isObject || !isKnown || !hasMembers(fields, names...) {
		return false
	}
	switch action {
	case "key.commit":
		hours := fields["delay_hours"]
		return isListOf(fields["recovery"], 5, recoveryKey.MatchString) && isWhole(hours, 24) && hours.(float64) <= 168
	case "key.succeed":
		for _, member := range []string{"since_link", "since_patch"} {
			if fields[member] != nil && !fits(uuidForm, fields[member]) {
				return false
			}
		}
		return fits(compressedForm, fields["successor"])
	case "key.veto":
		return fits(uuidForm, fields["event"])
	case "key.revoke":
		return isAppKey(fields["key"])
	case "key.add":
		page, isPage := fields["origin"].(string)
		hasOrigin := fields["origin"] == nil || isPage && isOrigin(page)
		isGood := isAppKey(fields["key"]) && hasOrigin && isWhole(fields["expires_at"], 0)
		return isGood && isListOf(fields["scopes"], 16, isScope) && len(strings.Join(textsOf(fields["scopes"]), "")) <= 1200
	}
	return true
}

func hasKeyShape(item object) bool {
	if !hasTexts(item, keyTexts) || !hasKeyFields(text(item, "action"), item["fields"]) {
		return false
	}
	for _, member := range keyNumbers {
		if !isWhole(item[member], 0) {
			return false
		}
	}
	isKey := func(value any) bool { return fits(recoveryKey, value) || isAppKey(value) }
	cosigner, hasCosigner := item["cosigner"]
	cosignature, hasCosignature := item["cosignature"]
	_, isCosigned := cosignature.(string)
	isNone := hasCosigner && hasCosignature && cosigner == nil && cosignature == nil
	if !isNone && !(isKey(cosigner) && isCosigned) {
		return false
	}
	successor, isThere := item["successor_signature"]
	_, isText := successor.(string)
	hasSuccessor := isThere && successor == nil
	if text(item, "action") == "key.succeed" {
		hasSuccessor = isText
	}
	return hasSuccessor && (item["signer"] == mainKey || isKey(item["signer"]))
}

// recoveryNames are the two names under which a key, compressed, can be committed; none for what is no key.
func recoveryNames(key string) []string {
	point, problem := parseKey(key, false)
	if problem != "" {
		return nil
	}
	return []string{"key:" + hex.EncodeToString(sha(point.SerializeCompressed())), "eip155:" + addressOf(point)}
}

func signerOf(said, written string) string { return recoverSigner(said, decodeBase64(written)) }

// keyChain is the key events of one Avatar, oldest first.
type keyChain struct {
	avatar   string
	hasOwner bool
	previous object
	uuids    map[string]bool
	state    keyState
}

func newKeyChain(avatar *string) *keyChain {
	chain := &keyChain{uuids: map[string]bool{}}
	if avatar != nil {
		chain.avatar, chain.hasOwner = *avatar, true
	}
	return chain
}

// add makes the steps of the next event, and tells whether all of them are good.
func (c *keyChain) add(all *steps, value any, where string) bool {
	s := &steps{}
	defer func() { *all = append(*all, *s...) }()
	item, _ := value.(object)
	if !s.check("shape", hasKeyShape(item), where) {
		return false
	}
	if !c.hasOwner {
		c.avatar, c.hasOwner = ownerOf(item), true
	}
	if _, isNamed := item["avatar"]; isNamed {
		s.check("avatar", text(item, "avatar") == c.avatar, where)
	}
	signed := c.checkText(s, item, where)
	c.checkSigners(s, item, where)
	prev, isThere := signed["prev"]
	if c.previous == nil {
		s.check("prev", isThere && prev == nil, where)
	} else {
		s.check("prev", prev == c.previous["signature"], where)
	}
	s.check("uuid", !c.uuids[text(item, "uuid")], where)
	c.uuids[text(item, "uuid")] = true
	isLater := true
	for _, member := range []string{"recorded_at", "links", "patches"} {
		isLater = isLater && (c.previous == nil || numberOf(item, member) >= numberOf(c.previous, member))
	}
	s.check("time", isLater, where)
	c.previous = item
	if s.isGood() {
		c.follow(s, item, where)
	}
	return s.isGood()
}

func (c *keyChain) checkText(s *steps, item object, where string) object {
	payload := text(item, "signature_payload")
	signed := parseObject(payload)
	if signed == nil {
		s.check("fields", false, where)
		return nil
	}
	whole := maps.Clone(item["fields"].(object))
	whole["avatar"] = c.avatar
	for _, member := range []string{"action", "created_at", "uuid"} {
		whole[member] = item[member]
	}
	isSame := true
	for member, value := range whole {
		isSame = isSame && canonical(signed[member]) == canonical(value)
	}
	s.check("fields", isSame, where)
	whole["prev"] = signed["prev"]
	s.check("canonical_text", payload == canonical(whole) || payload == rewritten(whole), where)
	return signed
}

func (c *keyChain) checkSigners(s *steps, item object, where string) {
	payload, fields := text(item, "signature_payload"), item["fields"].(object)
	origin := keyOrigin{}
	if text(item, "action") == "key.add" {
		origin = originOf(fields)
	}
	isBy := func(name, written string) bool {
		if isAppKey(name) {
			return isAppSignature(payload, name, written, origin)
		}
		key := signerOf(payload, written)
		if name == mainKey {
			return key != "" && key == c.avatar
		}
		return slices.Contains(recoveryNames(key), name)
	}
	s.check("signature", isBy(text(item, "signer"), text(item, "signature")), where)
	if cosigner, isThere := item["cosigner"].(string); isThere {
		s.check("cosignature", isBy(cosigner, text(item, "cosignature")), where)
	}
	if text(item, "action") == "key.succeed" {
		successor := signerOf(payload, text(item, "successor_signature"))
		s.check("successor_signature", successor == text(fields, "successor"), where)
	}
}

// follow makes the steps of the table, for an event that is sound.
func (c *keyChain) follow(s *steps, item object, where string) {
	if !c.areNamesGood(c.state.settled(numberOf(item, "recorded_at")), item) {
		s.check("rules", false, where)
		return
	}
	behind, due, isTaken := c.state.accept(item)
	if !s.check("rules", isTaken, where) {
		return
	}
	c.state = behind
	s.check("due", numberOf(item, "due_at") == due, where)
}

// areNamesGood tells whether an event is signed by the key that it names, and names no key that it must not.
func (c *keyChain) areNamesGood(k keyState, item object) bool {
	payload, signer, fields := text(item, "signature_payload"), text(item, "signer"), item["fields"].(object)
	if isAppKey(signer) {
		origin := keyOrigin{}
		if known, isKnown := k.appKeys[signer]; isKnown {
			origin = originOf(known.fields)
		}
		if !isAppSignature(payload, signer, text(item, "signature"), origin) {
			return false
		}
	} else if c.nameOf(k, signerOf(payload, text(item, "signature"))) != signer {
		return false
	}
	if fields["successor"] == c.avatar {
		return false
	}
	isNamed := func(key string, names []string) bool {
		return slices.ContainsFunc(recoveryNames(key), func(name string) bool { return slices.Contains(names, name) })
	}
	switch text(item, "action") {
	case "key.commit":
		recovery := textsOf(fields["recovery"])
		for key := range k.appKeys {
			if point, isPoint := strings.CutPrefix(key, "secp256k1:"); isPoint && isNamed(point, recovery) {
				return false
			}
		}
		return !isNamed(c.avatar, recovery)
	case "key.add":
		point, isPoint := strings.CutPrefix(text(fields, "key"), "secp256k1:")
		names := slices.Clone(k.recovery())
		if k.pendingCommit != nil {
			names = append(names, textsOf(k.pendingCommit.fields["recovery"])...)
		}
		return !isPoint || point != c.avatar && !isNamed(point, names)
	}
	return true
}

// nameOf is the name of a key among those that may sign; the highest where two name it, and "" for none.
func (c *keyChain) nameOf(k keyState, key string) string {
	if key == c.avatar {
		return mainKey
	}
	names := recoveryNames(key)
	for _, name := range k.recovery() {
		if slices.Contains(names, name) {
			return name
		}
	}
	return ""
}

func checkKeys(s *steps, events []any, avatar *string) *keyChain {
	chain := newKeyChain(avatar)
	for i, event := range events {
		chain.add(s, event, fmt.Sprintf("key event %d", i+1))
	}
	return chain
}

// patchSigners knows which keys of apps may sign patches, by all key events of an Avatar, oldest first.
type patchSigners struct {
	isSound bool
	behind  []keysBehind
}

// keysBehind is the state behind an event, and how many patches the Avatar had then.
type keysBehind struct {
	patches, at float64
	state       keyState
}

func newPatchSigners(events []any, avatar *string) *patchSigners {
	chain, ignored := newKeyChain(avatar), steps{}
	signers := &patchSigners{true, []keysBehind{{patches: -1}}}
	for _, event := range events {
		if signers.isSound = signers.isSound && chain.add(&ignored, event, ""); !signers.isSound {
			break
		}
		item := event.(object)
		behind := keysBehind{numberOf(item, "patches"), numberOf(item, "recorded_at"), chain.state}
		signers.behind = append(signers.behind, behind)
	}
	return signers
}

// isSigned tells whether a key that was allowed to do so signed a patch, in front of which so many stand.
func (p *patchSigners) isSigned(patch object, before int) bool {
	if !p.isSound {
		return false
	}
	last := p.behind[0]
	for _, one := range p.behind {
		if one.patches <= float64(before) {
			last = one
		}
	}
	created, key := numberOf(patch, "created_at"), text(patch, "signer")
	state := last.state.settled(max(created, last.at))
	at := name{text(patch, "platform"), text(patch, "identity")}
	return state.maySign(key, at, created) && isAppSignature(
		text(patch, "signature_payload"), key, text(patch, "signature"), originOf(state.appKeys[key].fields),
	)
}
