package main

// Links, wallets and patches (docs/verify.md, sections 4 to 6).

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const clockSpreadSeconds = 300

var (
	linkTexts   = []string{"action", "platform", "identity", "created_at", "uuid", "signature", "signature_payload"}
	patchTexts  = []string{"platform", "identity", "uuid", "signature", "signature_payload"}
	wallets     = []string{"ethereum", "solana", "nostr"}
	unixSeconds = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,11})$`)
	address     = regexp.MustCompile(`^0x[0-9a-f]{40}$`)
)

// name is what stands under a platform.
type name struct{ platform, identity string }

// text is a member that is a text, or "".
func text(item object, member string) string {
	found, _ := item[member].(string)
	return found
}

func hasTexts(item object, members []string) bool {
	for _, member := range members {
		if _, isText := item[member].(string); !isText {
			return false
		}
	}
	avatar, isThere := item["avatar"]
	_, isText := avatar.(string)
	return item != nil && (!isThere || isText)
}

func hasLinkShape(link object) bool {
	return hasTexts(link, linkTexts) && slices.Contains([]string{"create", "delete"}, text(link, "action")) &&
		unixSeconds.MatchString(text(link, "created_at")) &&
		(!isErased(link) || hasErasedShape(link, "identity", "signature_payload", "proof_location", "extra"))
}

func hasPatchShape(item object) bool {
	_, isNumber := item["created_at"].(float64)
	_, isObject := item["patch"].(object)
	signer, isByApp := item["signer"]
	_, isText := signer.(string)
	return hasTexts(item, patchTexts) && isNumber && isObject && (!isByApp || isText) &&
		(!isErased(item) || hasErasedShape(item, "identity", "signature_payload", "patch"))
}

func avatarIn(signed string) string { return text(parseObject(signed), "avatar") }

func ownerOf(item object) string {
	if _, isThere := item["avatar"]; isThere {
		return text(item, "avatar")
	}
	return avatarIn(text(item, "signature_payload"))
}

// signedChain is what links and patches have in common.
type signedChain struct {
	signers  *patchSigners // knows the keys of apps, or nil
	avatar   string
	hasOwner bool
	previous string // the signature before, "" in front of the first one
	uuids    map[string]bool
	place    int // how many stand before the next one
}

func newSignedChain(avatar *string) signedChain {
	chain := signedChain{uuids: map[string]bool{}}
	if avatar != nil {
		chain.avatar, chain.hasOwner = *avatar, true
	}
	return chain
}

func isWhole(value any, least float64) bool {
	number, isNumber := value.(float64)
	return isNumber && number == math.Floor(number) && number >= least && number <= 1<<53-1
}

// chainIn is what the signed text of a contract wallet says of its chain, or nil, and whether extra says the same.
func chainIn(link object, action string) (object, bool) {
	signed := parseObject(text(link, "signature_payload"))
	chain, block := signed["chain_id"], signed["block_number"]
	if action != "create" || text(link, "platform") != "ethereum" || !isWhole(chain, 1) || !isWhole(block, 0) {
		return nil, true
	}
	extra, _ := link["extra"].(object)
	return object{"block_number": block, "chain_id": chain},
		extra["chain_id"] == chain && isWhole(extra["block_number"], block.(float64))
}

// add makes the steps avatar, fields, canonical_text, signature, prev and uuid.
func (c *signedChain) add(s *steps, item object, action string, members []string, where string) {
	if _, isNamed := item["avatar"]; !c.hasOwner && (isNamed || !isErased(item)) {
		c.avatar, c.hasOwner = ownerOf(item), true
	}
	if _, isThere := item["avatar"]; isThere {
		s.check("avatar", text(item, "avatar") == c.avatar, where)
	}
	if !isErased(item) {
		c.checkSigned(s, item, action, members, where)
	} else {
		s.leaveOpen("erased", where)
	}
	s.check("uuid", !c.uuids[text(item, "uuid")], where)
	c.uuids[text(item, "uuid")] = true
	c.previous = text(item, "signature")
}

// checkSigned makes the steps that need the text.
func (c *signedChain) checkSigned(s *steps, item object, action string, members []string, where string) {
	payload := text(item, "signature_payload")
	signed := parseObject(payload)
	chain, isAsked := chainIn(item, action)
	isSame := signed != nil && isAsked
	whole := object{"action": action, "avatar": c.avatar}
	maps.Copy(whole, chain)
	for _, member := range members {
		whole[member] = item[member]
	}
	for member, value := range whole {
		isSame = isSame && canonical(signed[member]) == canonical(value)
	}
	s.check("fields", isSame, where)
	if signed != nil {
		whole["prev"] = signed["prev"]
		s.check("canonical_text", payload == canonical(whole) || payload == rewritten(whole), where)
		c.checkSignature(s, item, payload, where)
	}
	prev, isThere := signed["prev"]
	if c.previous == "" && len(c.uuids) == 0 {
		s.check("prev", isThere && prev == nil, where)
	} else {
		s.check("prev", prev == c.previous, where)
	}
}

func (c *signedChain) checkSignature(s *steps, item object, payload, where string) {
	_, isByApp := item["signer"]
	switch {
	case !isByApp:
		signature := decodeBase64(text(item, "signature"))
		s.check("signature", signature != nil && isSignedBy(payload, signature, c.avatar), where)
	case c.signers == nil:
		s.leaveOpen("signature", where)
	default:
		s.check("signature", c.signers.isSigned(item, c.place), where)
	}
}

// linkChain is the ProofChain of one Avatar.
type linkChain struct {
	signedChain
	bindings map[name]object
	made     map[name]steps  // of the links that made the bindings
	order    []name          // of bindings, as they were made
	lost     map[string]bool // keys of identities whose last link is a create that was erased
	last     int64
}

func newLinkChain(avatar *string) *linkChain {
	return &linkChain{signedChain: newSignedChain(avatar), bindings: map[name]object{}, made: map[name]steps{}, lost: map[string]bool{}}
}

func (c *linkChain) add(all *steps, item any, where string) {
	s := &steps{}
	defer func() { *all = append(*all, *s...) }()
	link, _ := item.(object)
	if !s.check("shape", hasLinkShape(link), where) {
		return
	}
	isFirst := len(c.uuids) == 0
	at := name{text(link, "platform"), text(link, "identity")}
	c.signedChain.add(s, link, text(link, "action"), []string{"created_at", "identity", "platform", "uuid"}, where)
	time, _ := strconv.ParseInt(text(link, "created_at"), 10, 64)
	// prev says which link came first, so a wrong clock forges nothing.
	if isBack := time < c.last-clockSpreadSeconds; !isFirst && isBack {
		s.leaveOpen("time", where+": a clock was wrong when it, or the one before it, was recorded")
	} else if !isFirst {
		s.check("time", true, where)
	}
	c.last = time
	if isErased(link) {
		c.forget(text(link["erased"].(object), "identity_key"), text(link, "action"))
		return
	}
	isLost := c.lost[keyOf(at)]
	delete(c.lost, keyOf(at))
	_, isBound := c.bindings[at]
	delete(c.bindings, at)
	c.order = slices.DeleteFunc(c.order, func(other name) bool { return other == at })
	if text(link, "action") == "delete" {
		if isLost {
			s.leaveOpen("binding", where)
		} else {
			s.check("binding", isBound, where)
		}
		return
	}
	checkIdentity(s, link, where)
	c.bindings[at] = link
	c.made[at] = *s
	c.order = append(c.order, at)
}

// forget takes what an erased link says: it binds nothing, and leaves nothing bound of its identity.
func (c *linkChain) forget(key, action string) {
	c.order = slices.DeleteFunc(c.order, func(at name) bool { return keyOf(at) == key })
	maps.DeleteFunc(c.bindings, func(at name, _ object) bool { return keyOf(at) == key })
	c.lost[key] = action == "create"
}

func checkLinks(s *steps, links []any, avatar *string) *linkChain {
	chain := newLinkChain(avatar)
	for i, link := range links {
		chain.add(s, link, fmt.Sprintf("link %d", i+1))
	}
	return chain
}

// checkPatches answers the Avatar and the content of each entry.
func checkPatches(s *steps, patches []any, avatar *string, signers *patchSigners) (string, []any) {
	chain := newSignedChain(avatar)
	chain.signers = signers
	contents := map[name]any{}
	var order []name
	lost := map[string]bool{}
	for i, item := range patches {
		where := fmt.Sprintf("patch %d", i+1)
		patch, _ := item.(object)
		if !s.check("shape", hasPatchShape(patch), where) {
			continue
		}
		chain.place = i
		members := []string{"created_at", "identity", "patch", "platform", "uuid"}
		if _, isByApp := patch["signer"]; isByApp {
			members = append(members, "signer")
		}
		chain.add(s, patch, "kv", members, where)
		if isErased(patch) {
			// What it changed or took out is not known: its entry begins anew.
			lost[keyOfItem(patch)] = true
			for at := range contents {
				if keyOf(at) == keyOfItem(patch) {
					contents[at] = object{}
				}
			}
			continue
		}
		at := name{text(patch, "platform"), text(patch, "identity")}
		if _, isThere := contents[at]; !isThere {
			order = append(order, at)
		}
		contents[at] = mergePatch(contents[at], patch["patch"])
	}
	entries := []any{}
	for _, at := range order {
		entry := object{"platform": at.platform, "identity": at.identity, "content": contents[at]}
		if len(lost) > 0 && lost[keyOf(at)] {
			entry["incomplete"] = true
		}
		entries = append(entries, entry)
	}
	if slices.Contains(s.named(open), "signature") {
		entries = []any{} // what may be forged adds up to nothing
	}
	return chain.avatar, entries
}

// mergePatch is RFC 7396; it changes nothing that it was given.
func mergePatch(target, patch any) any {
	changes, isObject := patch.(object)
	if !isObject {
		return patch
	}
	merged := object{}
	before, _ := target.(object)
	for member, value := range before {
		merged[member] = value
	}
	for member, value := range changes {
		if value == nil {
			delete(merged, member)
		} else {
			merged[member] = mergePatch(merged[member], value)
		}
	}
	return merged
}

func checkIdentity(s *steps, link object, where string) {
	platform := text(link, "platform")
	if !slices.Contains(wallets, platform) {
		s.leaveOpen("post", where)
		return
	}
	extra, _ := link["extra"].(object)
	checkWallet(s, platform, text(link, "identity"), text(link, "signature_payload"), extra, where)
}

func checkWallet(s *steps, platform, identity, payload string, extra object, where string) {
	written := text(extra, "wallet_signature")
	if written == "" {
		s.check("wallet_signature", false, where)
		return
	}
	if platform == "nostr" {
		s.check("wallet_signature", isNostrSignature(identity, payload, written), where)
		return
	}
	if platform == "solana" {
		s.check("wallet_signature", isSolanaSignature(identity, payload, written, extra), where)
		return
	}
	signature := decodeBytes(written)
	isWallet := false
	if key, problem := parseKey(recoverSigner(payload, signature), false); problem == "" {
		isWallet = addressOf(key) == identity
	}
	_, hasChain := extra["chain_id"]
	if hasChain && address.MatchString(identity) && !isWallet && signature != nil {
		s.leaveOpen("wallet_signature", where) // ERC-1271: only its blockchain could tell
		return
	}
	s.check("wallet_signature", isWallet, where)
}

func isSolanaSignature(identity, payload, written string, extra object) bool {
	var signature []byte
	for _, reading := range [][]byte{
		decodeBase58(written), decodeBase64(written), decodeHex(strings.TrimPrefix(written, "0x")),
	} {
		if len(reading) == 64 {
			signature = reading
			break
		}
	}
	key, plain := decodeBase58(identity), []byte(payload)
	if signature == nil || key == nil {
		return false
	}
	form := byte(0)
	for _, letter := range plain {
		if letter < 0x20 || letter > 0x7e {
			form = 1
		}
	}
	domain := []byte("\xffsolana offchain")
	length := binary.LittleEndian.AppendUint16(nil, uint16(len(plain)))
	version0 := func(site []byte, form byte) []byte {
		return slices.Concat(domain, []byte{0}, site, []byte{form, 1}, key, length, plain)
	}
	short := func(form byte) []byte { return slices.Concat(domain, []byte{0, form}, length, plain) }
	messages := [][]byte{
		plain, version0(make([]byte, 32), form), short(form), slices.Concat(domain, []byte{1, 1}, key, plain),
	}
	if sent := decodeBytes(text(extra, "wallet_message")); len(sent) > 49 {
		for form := range byte(3) {
			if bytes.Equal(sent, version0(sent[17:49], form)) || bytes.Equal(sent, short(form)) {
				messages = append(messages, sent)
			}
		}
	}
	return slices.ContainsFunc(messages, func(message []byte) bool { return isEd25519Signature(message, signature, key) })
}

// leaveOpenWhereEmpty says that no records of an Avatar that is named show nothing: a server that hides its chain
// answers them, too.
func leaveOpenWhereEmpty(s *steps, records []any, avatar *string) {
	if len(records) == 0 && avatar != nil {
		s.leaveOpen("all", "")
	}
}
