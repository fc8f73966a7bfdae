package main

// Exports (docs/verify.md, section 8).

import (
	"slices"
	"strings"
)

var exportMembers = []string{
	"format", "version", "exported_at", "server", "avatar", "links", "patches", "keys", "bindings", "log", "seen",
}

func isExport(file object) bool {
	isHead := hasTexts(file, []string{"exported_at", "server", "avatar"}) && file["format"] == "signet-export" &&
		file["version"] == float64(1)
	for _, member := range []string{"links", "patches", "bindings"} {
		_, isList := file[member].([]any)
		isHead = isHead && isList
	}
	if keys, isThere := file["keys"]; isThere {
		_, isList := keys.([]any)
		isHead = isHead && isList
	}
	if _, problem := parseKey(text(file, "avatar"), false); !isHead || problem != "" {
		return false
	}
	return !slices.ContainsFunc(file["bindings"].([]any), func(binding any) bool { return !isBinding(binding) })
}

func isBinding(value any) bool {
	binding, _ := value.(object)
	_, isStated := binding["is_valid"].(bool)
	evidence, isThere := binding["evidence"]
	seen, isSeen := evidence.(object)
	return hasTexts(binding, []string{"platform", "identity", "created_at", "last_checked_at", "invalid_reason"}) &&
		isStated && isThere &&
		(evidence == nil || isSeen && hasTexts(seen, []string{"url", "seen_at", "sha256", "account_id", "matched_text"}))
}

// checkExport answers the file where it has the form of one. now is in UNIX seconds; policy and observers may
// be nil.
func checkExport(s *steps, written string, p *policy, o *observers, now uint64) object {
	file := parseObject(strings.TrimPrefix(written, byteOrderMark))
	if !s.check("file", isExport(file), "") {
		return nil
	}
	links, patches := file["links"].([]any), file["patches"].([]any)
	keys, hasKeys := file["keys"].([]any)
	s.check("content", len(links)+len(patches)+len(keys) > 0, "")
	avatar := text(file, "avatar")
	chain := checkLinks(s, links, &avatar)
	var signers *patchSigners // programs before 0.3.0 write no list of key events
	if hasKeys {
		signers = newPatchSigners(keys, &avatar)
	}
	checkPatches(s, patches, &avatar, signers)
	checkKeys(s, keys, &avatar)
	said := map[name]bool{}
	for _, one := range file["bindings"].([]any) {
		binding := one.(object)
		said[name{text(binding, "platform"), text(binding, "identity")}] = true
		checkBinding(s, binding, chain)
	}
	isWhole := true
	for at := range chain.bindings {
		isWhole = isWhole && said[at]
	}
	s.check("bindings", isWhole, "")
	// What platforms have signed is checked by packages/verify alone (sections 16 and 17).
	for _, one := range file["bindings"].([]any) {
		binding := one.(object)
		if seen, _ := binding["evidence"].(object); seen["proof"] != nil || seen["gone_proof"] != nil {
			s.leaveOpen("platform_proof", text(binding, "platform")+" "+text(binding, "identity"))
		}
	}
	for member := range file {
		if !slices.Contains(exportMembers, member) {
			s.leaveOpen("members", member)
		}
	}
	checkExportLog(s, file, p, now)
	if _, hasSeen := file["seen"]; hasSeen || o != nil {
		checkExportSeen(s, file, o)
	}
	return file
}

func checkBinding(s *steps, binding object, chain *linkChain) {
	at := name{text(binding, "platform"), text(binding, "identity")}
	where := at.platform + " " + at.identity
	link, isBound := chain.bindings[at]
	isBound = isBound && link["created_at"] == binding["created_at"]
	if !s.check("binding", isBound, where) {
		return
	}
	own := chain.made[at]
	open := slices.DeleteFunc(own.named(open), func(step string) bool { return step == "post" || step == "time" })
	if own.isGood() && len(open) > 0 {
		s.leaveOpen("link", where)
	} else {
		s.check("link", own.isGood(), where)
	}
	evidence, hasEvidence := binding["evidence"].(object)
	if !hasEvidence {
		return
	}
	seen := text(evidence, "matched_text")
	if seen == "" {
		s.leaveOpen("evidence", where)
		return
	}
	s.check("evidence", findEvidence(seen, text(link, "signature_payload"), chain.avatar) != "", where)
}
